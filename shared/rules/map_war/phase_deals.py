"""P1 and the end of P5: deals are carried out, agreements begin and end (MAP-75 to MAP-78, MAP-83, MAP-87)."""

from shared.rules.map_war.deal_terms import Moved, deal_form, gives, lacks, paid_by_bank, zones_given
from shared.rules.map_war.owners import end_agreement, lose_constructions, void
from shared.rules.map_war.play import Entry
from shared.rules.map_war.state import AGREEMENT, RUNNING, Deal, State
from shared.rules.map_war.turn import Turn


def deals_without_zones(turn: Turn) -> None:
    """MAP-83, in the order of acceptance."""
    for deal in _accepted(turn.state):
        if deal.kind == AGREEMENT:
            if deal.ends_turn is not None and deal.ends_turn < turn.number:
                end_agreement(turn.play, deal, "ended")
            elif deal.begun_turn is None:
                turn.play.emit("agreement_begun", {**deal_form(deal), "turn": turn.number})
        elif not zones_given(deal):
            _carry_out(turn, deal)


def deals_with_zones(turn: Turn) -> None:
    """MAP-77, MAP-87: each as a whole, after production."""
    for deal in _accepted(turn.state):
        if deal.kind != AGREEMENT:
            _carry_out(turn, deal)


def _accepted(state: State) -> list[Deal]:
    def order(deal: Deal) -> int:
        return deal.accepted_seq or 0

    return sorted((deal for deal in state.live() if deal.status == RUNNING), key=order)


def _carry_out(turn: Turn, deal: Deal) -> None:
    """MAP-76: void if a side lacks something now; so it is if a zone has another owner now (MAP-113).

    Whoever has a zone now has had it since the deal was accepted: what is conquered in a turn is not lost in it again.
    """
    play, state = turn.play, turn.state
    given, taken = gives(state, deal)
    for nation, moved in ((deal.giver, given), (deal.taker, taken)):
        zones = [state.board.index[zone] for zone in moved.zones]
        if any(state.owner[zone] != nation for zone in zones):
            void(play, deal, "zone_lost")
            return
        if lacks(state, nation, moved):
            void(play, deal, "lacking")
            return
    owners = {**dict.fromkeys(given.zones, deal.taker), **dict.fromkeys(taken.zones, deal.giver)}
    entries = [*_entries(deal.giver, deal.taker, given), *_entries(deal.taker, deal.giver, taken)]
    entries.append(Entry(deal.giver, "bank", paid_by_bank(state, deal)))
    play.emit_with_ledger("deal_done", {**deal_form(deal), "zones": owners, "turn": turn.number}, entries)
    for zone_id in sorted(owners):
        zone = state.board.index[zone_id]
        lose_constructions(play, zone)
        armies = [army.id for army in state.armies_in(zone)]
        if armies:
            play.emit("pieces_handed_over", {"pieces": armies, "nation": owners[zone_id]})


def _entries(giver: str, taker: str, moved: Moved) -> list[Entry]:
    return [
        Entry(giver, "deal", -moved.currency, -moved.resources, -moved.food),
        Entry(taker, "deal", moved.currency, moved.resources, moved.food),
    ]
