"""Views of nominations, polls, offices, shield and messages (GXC-71 to GXC-83)."""

from collections.abc import Iterator, Mapping

from shared.rules.gxc.project_common import nomination_id, team_of, team_writes
from shared.rules.interface import Event, Write
from shared.rules.projecting import OPERATORS, Projection


def _nomination(event: Event) -> Iterator[Write]:
    data = event.data
    fields = {name: data[name] for name in ("team", "kind", "target", "nominators")}
    yield Write("nomination", nomination_id(data), team_of(data), fields, gone=not data["nominators"])


def _poll_opened(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("nomination", nomination_id(data), team_of(data), {}, gone=True)
    fields = {name: data[name] for name in ("team", "kind", "target", "opened_turn", "closes_turn")}
    yield Write("poll", data["poll"], team_of(data), {**fields, "yes": 0, "no": 0, "result": None})


def _voted(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("vote", data["poll"], f"player:{data['player']}", {"choice": data["choice"]})


def _vote_dropped(event: Event) -> Iterator[Write]:
    yield Write("vote", event.data["poll"], f"player:{event.data['player']}", {}, gone=True)


def _poll_counted(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("poll", data["poll"], team_of(data), {"yes": data["yes"], "no": data["no"]})


def _poll_closed(event: Event) -> Iterator[Write]:
    data = event.data
    yield Write("poll", data["poll"], team_of(data), {name: data[name] for name in ("yes", "no", "result")})


def _commander_elected(event: Event) -> Iterator[Write]:
    return team_writes(event, commanders=event.data["commanders"], commander_ever=True)


def _commander_removed(event: Event) -> Iterator[Write]:
    return team_writes(event, commanders=event.data["commanders"])


def _shield_votes(event: Event) -> Iterator[Write]:
    return team_writes(event, shield_votes=event.data["votes"])


def _shield_activated(event: Event) -> Iterator[Write]:
    data = event.data
    return team_writes(
        event, shield_used=True, shield_turns_left=data["turns_left"], shield_protected=data["protected"]
    )


def _shield_counted(event: Event) -> Iterator[Write]:
    return team_writes(event, shield_turns_left=event.data["turns_left"])


def _shield_ended(event: Event) -> Iterator[Write]:
    return team_writes(event, shield_turns_left=0, shield_protected=[])


def _battle_plan_edited(event: Event) -> Iterator[Write]:
    return team_writes(event, battle_plan={name: event.data[name] for name in ("message", "hash", "author")})


def _battle_plan_numbered(event: Event) -> Iterator[Write]:
    yield Write("team", event.data["team"], OPERATORS, {"battle_plan_seq": event.data["seq"]})


def _mail_sent(event: Event) -> Iterator[Write]:
    return _message("mail", event, ("team", "author", "hash"))


def _chat_sent(event: Event) -> Iterator[Write]:
    return _message("chat", event, ("team", "author", "hash", "channel"))


def _message(kind: str, event: Event, names: tuple[str, ...]) -> Iterator[Write]:
    for audience in event.to:
        yield Write(kind, event.data["message"], audience, {name: event.data[name] for name in names})


def _suspended_bonuses(event: Event) -> Iterator[Write]:
    return team_writes(event, suspended_bonuses=event.data["suspended_bonuses"])


OFFICES: Mapping[str, Projection] = {
    "nominated": _nomination,
    "nomination_dropped": _nomination,
    "poll_opened": _poll_opened,
    "voted": _voted,
    "vote_dropped": _vote_dropped,
    "poll_counted": _poll_counted,
    "poll_closed": _poll_closed,
    "commander_elected": _commander_elected,
    "commander_removed": _commander_removed,
    "shield_voted": _shield_votes,
    "shield_vote_dropped": _shield_votes,
    "shield_activated": _shield_activated,
    "shield_counted": _shield_counted,
    "shield_ended": _shield_ended,
    "battle_plan_edited": _battle_plan_edited,
    "battle_plan_numbered": _battle_plan_numbered,
    "mail_sent": _mail_sent,
    "chat_sent": _chat_sent,
    "bonus_suspended": _suspended_bonuses,
    "bonus_restored": _suspended_bonuses,
}
"""Event type -> projection."""
