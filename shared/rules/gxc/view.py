"""What one viewer may see, built up field by field from her documents (GXC-99 to GXC-103).

The view has the paths of the canonical state; what is hidden is absent. Besides them it has `closed_turn`, the
`players` and `energy` of territories at the opening of the turn (GXC-99), `yes`, `no` and the viewer's own `vote` of
polls, `mail`, `turns`, and `you` (player, team, sight) for a player.
"""

from collections.abc import Iterable, Mapping

from shared.rules.gxc.project_common import OWNER, STANDING, conquests_key, eliminated_key, empire_key, opening_key
from shared.rules.gxc.state import ELIMINATED, RUNNING
from shared.rules.gxc.view_players import players_of
from shared.rules.interface import Closing, Document, Json, Page, Parts, Period, Viewer
from shared.rules.seeing import Kinds, kinds_seen, some

PAGES: Mapping[str, Page] = {
    page.name: page
    for page in (
        Page("map", ("game", "territory", "strength"), "Territories, owners and strengths (GXC-99)."),
        Page(
            "roster",
            ("game", "team", "player", "energy", "location", STANDING, "assignment"),
            "Teams, players and offices.",
            of_players=("player",),
        ),
        Page(
            "orders",
            ("game", "team", "player", "energy", "location", STANDING, "order", "sighting", "sight"),
            "Orders that the viewer may see, and her team's battle plan.",
            of_players=("player", "order", "sighting", "sight"),
        ),
        Page("polls", ("game", "nomination", "poll", "vote"), "Nominations and polls of the own team (GXC-100)."),
        Page("mail", ("game", "mail"), "Mail to the own team; the texts are among the messages."),
        Page("reports", ("game", "turn"), "What became of each turn."),
    )
}

PERIOD = Period("turn", "turn_deadline", {RUNNING: Closing("close_turn", ("turn",))}, "turn_opened")

PARTS = Parts(
    places="territories",
    place="territory",
    sides="teams",
    side="team",
    side_kinds=("team",),
    counts=("players", "energy"),
    unshown=("closed_turn",),
)

GAME_FIELDS = ("phase", "turn", "turn_opened_at", "turn_deadline", "closed_turn", "winner", "ranking", "config")
TERRITORY_FIELDS = ("name", "neighbours", "centroid", "special", "owner")
TEAM_FIELDS = (
    "name",
    "status",
    "eliminated_at",
    "commander_ever",
    "commanders",
    "conquered_last_turn",
    "conquests_total",
    "empire",
    "suspended_bonuses",
    "shield_votes",
    "battle_plan",
)
SHIELD_FIELDS = ("used", "turns_left", "protected")
POLL_FIELDS = ("team", "kind", "target", "opened_turn", "closes_turn", "yes", "no", "result")
NOMINATION_FIELDS = ("team", "kind", "target", "nominators")
TURN_FIELDS = ("opened_at", "closed_at", "by", "empires")


def view(documents: Iterable[Document], viewer: Viewer) -> dict[str, Json]:
    """The view of the documents given: sections whose kinds are not among them are absent."""
    kinds = kinds_seen(documents, viewer)
    game = _one(kinds, "game")
    seen: dict[str, Json] = some(game, GAME_FIELDS)
    if viewer.role == "player":
        seen["you"] = _you(kinds, viewer)
    for kind, section, make in (
        ("territory", "territories", _territories),
        ("team", "teams", _teams),
        ("player", "players", players_of),
        ("poll", "polls", _polls),
        ("nomination", "nominations", _nominations),
        ("mail", "mail", _mail),
        ("turn", "turns", _turns),
        ("assignment", "assignments", _assignments),
    ):
        if kind in kinds:
            seen[section] = make(kinds, game, viewer)
    return seen


def own_team(viewer: Viewer) -> str | None:
    """The viewer's team as her audiences name it; None for everybody but unplaced and active players."""
    return next((item.removeprefix("team:") for item in viewer.audiences if item.startswith("team:")), None)


def _one(kinds: Kinds, kind: str) -> Mapping[str, Json]:
    return kinds[kind][0].fields if kind in kinds else {}


def _you(kinds: Kinds, viewer: Viewer) -> dict[str, Json]:
    sights = {item.id: item.fields["sight"] for item in kinds.get("sight", ())}
    return {"player": viewer.actor, "team": own_team(viewer), "sight": sights.get(viewer.actor)}


def _territories(kinds: Kinds, game: Mapping[str, Json], viewer: Viewer) -> dict[str, Json]:
    strengths = _strengths(kinds, game.get("turn"))
    owners = _owners(kinds)
    territories: dict[str, Json] = {}
    for item in kinds["territory"]:
        entry = some(item.fields, TERRITORY_FIELDS)
        entry["owner"] = owners.get(item.id, item.fields["owner"])
        strength = strengths.get(item.id)
        if strength is not None:
            entry["players"], entry["energy"] = strength
        elif _knows_strength(game, entry["owner"], viewer):
            entry.update(players=0, energy=0)
        territories[item.id] = entry
    return territories


def _strengths(kinds: Kinds, turn: Json) -> dict[str, Json]:
    """By territory [players, energy] at the opening of the turn."""
    strengths: dict[str, Json] = {}
    for item in kinds.get("strength", ()):
        shelf = item.fields
        if isinstance(shelf.get("turn"), int):  # a territory's own: views of form 3 are shown while new ones are filled
            own = [shelf["turn"], shelf["players"], shelf["energy"]]
            shelf = {item.id: own, **{place: told for place, told in shelf.items() if isinstance(told, list)}}
        told = ((territory, value) for territory, value in shelf.items() if isinstance(value, list))
        strengths |= {territory: strength for territory, (of_turn, *strength) in told if of_turn == turn}
    return strengths


def _owners(kinds: Kinds) -> dict[str, Json]:
    """By territory the owner since the beginning; in views of form 5 a territory's document has some of them."""
    return {
        key.removesuffix(OWNER): owner
        for item in kinds.get("strength", ())
        for key, owner in item.fields.items()
        if key.endswith(OWNER)
    }


def _knows_strength(game: Mapping[str, Json], owner: str | None, viewer: Viewer) -> bool:
    """Whether the viewer would be told of a strength here, so that none told means none (GXC-99)."""
    if game.get("phase", "lobby") == "lobby":
        return False
    if game["config"]["public_energy"] or viewer.role == "operator":
        return True
    # What fell at the last close was foreign when the turn opened.
    return game["phase"] == RUNNING and owner is not None and owner == own_team(viewer)


def _teams(kinds: Kinds, game: Mapping[str, Json], viewer: Viewer) -> dict[str, Json]:
    """The public document of a team, and what its own members may see besides, or operators."""
    teams: dict[str, dict[str, Json]] = {}
    for item in kinds["team"]:
        team = teams.setdefault(item.id, {"empire": 0})
        team.update(some(item.fields, TEAM_FIELDS))  # with the size of its empire in views of form 3
        if "shield_used" in item.fields:
            team["shield"] = {name: item.fields[f"shield_{name}"] for name in SHIELD_FIELDS}
    for item in kinds["team"]:
        teams[item.id]["empire"] = game.get(empire_key(item.id), teams[item.id]["empire"])
        if counted := game.get(conquests_key(item.id)):  # none yet, or views of form 5
            teams[item.id] |= dict(zip(("conquered_last_turn", "conquests_total"), counted, strict=True))
        if eliminated := game.get(eliminated_key(item.id)):
            at = dict(zip(("turn", "step"), eliminated, strict=True))
            teams[item.id] |= {"status": ELIMINATED, "eliminated_at": at}
        plan = teams[item.id].get("battle_plan")
        if plan is not None and "battle_plan_seq" in item.fields:
            teams[item.id]["battle_plan"] = {**plan, "seq": item.fields["battle_plan_seq"]}
    return {team: teams[team] for team in sorted(teams)}


def _polls(kinds: Kinds, game: Mapping[str, Json], viewer: Viewer) -> dict[str, Json]:
    """Who voted how is secret: players see counts and their own vote, operators all votes (GXC-100)."""
    polls = {item.id: some(item.fields, POLL_FIELDS) for item in kinds["poll"]}
    for item in kinds.get("vote", ()):
        if item.id not in polls:
            continue
        if viewer.role == "operator":
            polls[item.id].setdefault("votes", {})[item.audience.removeprefix("player:")] = item.fields["choice"]
        else:
            polls[item.id]["vote"] = item.fields["choice"]
    return polls


def _nominations(kinds: Kinds, game: Mapping[str, Json], viewer: Viewer) -> list[Json]:
    records = [some(item.fields, NOMINATION_FIELDS) for item in kinds["nomination"]]
    return sorted(records, key=lambda record: (record["team"], record["kind"], record["target"]))


def _mail(kinds: Kinds, game: Mapping[str, Json], viewer: Viewer) -> dict[str, Json]:
    return {item.id: some(item.fields, ("team", "author", "hash")) for item in kinds["mail"]}


def _turns(kinds: Kinds, game: Mapping[str, Json], viewer: Viewer) -> dict[str, Json]:
    told: dict[int, dict[str, Json]] = {}
    for item in kinds["turn"]:
        turn, fields = int(item.id), item.fields
        told.setdefault(turn, {}).update(fields)
        opening = {name: fields[key] for name in TURN_FIELDS if (key := opening_key(name)) in fields}
        told.setdefault(turn + 1, {}).update(opening)  # in views of form 6 each is told in its own
    return {str(turn): _turn(fields) for turn, fields in told.items() if "opened_at" in fields}


def _turn(fields: Mapping[str, Json]) -> Json:
    mark = "eliminated:"
    eliminated = {name.removeprefix(mark): step for name, step in fields.items() if name.startswith(mark)}
    return {**some(fields, TURN_FIELDS), "eliminated": eliminated}


def _assignments(kinds: Kinds, game: Mapping[str, Json], viewer: Viewer) -> dict[str, Json]:
    """For operators alone: also of players who have not joined yet."""
    return {item.id: item.fields["team"] for item in kinds["assignment"] if viewer.role == "operator"}
