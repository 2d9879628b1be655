"""What events of submissions, deals, and nations that lose or regain their ruler do to the state."""

from collections.abc import Mapping

from shared.rules.map_war.changes import Change, Data, nothing, set_stocks, take
from shared.rules.map_war.state import DONE, OFFERED, PLAYER, RULERLESS, RUNNING, VOID, Deal, State


def _turn_submitted(state: State, data: Data) -> None:
    """With the number of the earlier one, until `submission_numbered` tells its own."""
    _store(state, data, list(data["faults"]), list(data["items"]))


def _submission_numbered(state: State, data: Data) -> None:
    nation = state.edit(data["nation"])
    nation.submission = {**(nation.submission or {}), "seq": data["seq"]}


def _items_dropped(state: State, data: Data) -> None:
    _store(state, data, [], [])


def _store(state: State, data: Data, faults: list[str], items: list[str]) -> None:
    nation = state.edit(data["nation"])
    seq = 0 if nation.submission is None else nation.submission["seq"]
    nation.submission = {"seq": seq, **data["orders"], "faults": faults, "items": items}


def _deal_offered(state: State, data: Data) -> None:
    state.set_deal(
        Deal(data["deal"], data["kind"], data["from"], data["to"], OFFERED, data["terms"], data["until_turn"])
    )


def _deal_accepted(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(status=RUNNING))


def _acceptance_numbered(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(accepted_seq=data["accepted_seq"]))


def _agreement_begun(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(begun_turn=data["turn"]))


def _agreement_ending(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(ends_turn=data["ends_turn"]))


def _agreement_ended(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(status=DONE))


def _deal_done(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(status=DONE))
    for zone, nation in data["zones"].items():
        take(state, zone, nation, data["turn"])
    set_stocks(state, data)


def _deal_void(state: State, data: Data) -> None:
    state.set_deal(state.deals[data["deal"]]._replace(status=VOID))


def _nation_rulerless(state: State, data: Data) -> None:
    """MAP-68, MAP-110."""
    nation = state.edit(data["nation"])
    nation.kind = RULERLESS
    nation.ownerless_since = data["ownerless_since"]
    nation.submission = None


def _nation_rejoined(state: State, data: Data) -> None:
    nation = state.edit(data["nation"])
    nation.kind = PLAYER
    nation.ownerless_since = None
    nation.missed = 0


def _inactivity_counted(state: State, data: Data) -> None:
    for nation, missed in data["missed"].items():
        state.edit(nation).missed = missed


CHANGES_OF_NATIONS: Mapping[str, Change] = {
    "submission_made": nothing,
    "turn_submitted": _turn_submitted,
    "submission_numbered": _submission_numbered,
    "items_dropped": _items_dropped,
    "deal_offered": _deal_offered,
    "deal_accepted": _deal_accepted,
    "acceptance_numbered": _acceptance_numbered,
    "agreement_begun": _agreement_begun,
    "agreement_ending": _agreement_ending,
    "agreement_ended": _agreement_ended,
    "deal_done": _deal_done,
    "deal_void": _deal_void,
    "nation_rulerless": _nation_rulerless,
    "nation_rejoined": _nation_rejoined,
    "inactivity_counted": _inactivity_counted,
    "war_declared": nothing,
}
