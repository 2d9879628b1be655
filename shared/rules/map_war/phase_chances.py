"""P8: what the dice decide: riots, Barbaria, decay, NPC nations; then inactivity (MAP-65 to MAP-72, MAP-90)."""

from collections.abc import Sequence

from shared.rules.map_war.config import NATION
from shared.rules.map_war.owners import become_rulerless, fall
from shared.rules.map_war.state import ACTIVE, BARBARIANS, NPC, RULERLESS, State
from shared.rules.map_war.tables import CITY, PLACE
from shared.rules.map_war.turn import Draw, Turn


def riots(turn: Turn) -> None:
    """MAP-65, MAP-66: each zone with a city of a hungry nation."""
    state, config = turn.state, turn.state.config
    hungry = [item.id for item in state.canonical_nations() if item.hungry and item.status == ACTIVE]
    if not hungry:
        return
    cities: dict[str, list[int]] = {nation: [] for nation in hungry}
    for zone, owner in enumerate(state.owner):
        if owner in cities and state.levels[zone][PLACE[CITY]]:
            cities[owner].append(zone)
    for nation in hungry:
        for zone in cities[nation]:
            pct = config.riot_base_pct + config.riot_step_pct * state.riot_count[zone]
            draw = Draw(turn.dice, f"riot:{state.board.ids[zone]}", pct)
            turn.play.emit("riot", {"zone": state.board.ids[zone], "nation": nation, **draw.form()})
            if draw.happened:
                fall(turn.play, zone)


def spread_barbaria(turn: Turn, barbarian: Sequence[int]) -> None:
    """MAP-67, MAP-111: from the zones that it held before the riots, to targets as they stand now."""
    if turn.state.config.barbaria_spread_per == NATION:
        found = [target for zone in barbarian for target in _targets(turn.state, zone)]
        _spread(turn, None, "spread:barbaria", sorted(dict.fromkeys(found)))
        return
    for zone in barbarian:
        id_ = turn.state.board.ids[zone]
        _spread(turn, id_, f"spread:{id_}", _targets(turn.state, zone))


def decay(turn: Turn) -> None:
    """MAP-69, MAP-70: rulerless nations lose zones to Barbaria."""
    state, config = turn.state, turn.state.config
    for nation in list(state.canonical_nations()):
        if nation.kind != RULERLESS or nation.status != ACTIVE or nation.ownerless_since is None:
            continue
        if nation.decaying:
            for _ in range(config.decay_spread):
                zones = state.zones_of(nation.id)
                beside = [zone for zone in zones if _beside_barbaria(state, zone)]
                _lose_one(turn, nation.id, beside or zones)
        elif turn.number >= nation.ownerless_since + config.rulerless_protection_turns:
            turn.play.emit("decay_started", {"nation": nation.id})
            for _ in range(config.decay_riots):
                zones = state.zones_of(nation.id)
                cities = [zone for zone in zones if state.levels[zone][PLACE[CITY]]]
                _lose_one(turn, nation.id, cities or zones)


def npc_nations(turn: Turn) -> None:
    """MAP-71."""
    for nation in list(turn.state.canonical_nations()):
        if nation.kind == NPC and nation.status == ACTIVE:
            draw = Draw(turn.dice, f"npc:{nation.id}", turn.state.config.npc_ownerless_pct)
            turn.play.emit("npc_tested", {"nation": nation.id, **draw.form()})
            if draw.happened:
                become_rulerless(turn.play, nation.id, "npc")


def count_inactivity(turn: Turn) -> None:
    """MAP-72, MAP-110: turns in a row without submission, and nations that lose their ruler by them."""
    state, most = turn.state, turn.state.config.inactive_turns_to_rulerless
    missed = {
        nation.id: nation.missed + 1 if nation.submission is None else 0
        for nation in state.player_nations()
        if nation.founded_turn < turn.number
    }
    changed = {id_: count for id_, count in missed.items() if count != state.nations[id_].missed}
    if changed:
        turn.play.emit("inactivity_counted", {"missed": changed})
    for id_, count in missed.items():
        if most is not None and count >= most:
            become_rulerless(turn.play, id_, "inactive")


def _targets(state: State, zone: int) -> list[int]:
    """Land zones beside a zone of Barbaria that it may take."""
    found: list[int] = []
    for other in state.board.neighbours[zone]:
        owner = state.owner[other]
        if owner is None or owner == BARBARIANS or state.board.sea[other] or state.nations[owner].protected:
            continue
        found.append(other)
    return found


def _spread(turn: Turn, zone: str | None, scope: str, targets: list[int]) -> None:
    if not targets:
        return
    draw, stream = Draw(turn.dice, scope, turn.state.config.barbaria_spread_pct), turn.dice.stream(scope)
    target = stream.pick(targets) if draw.happened else None
    data = {
        "zone": zone,
        "targets": [turn.state.board.ids[item] for item in targets],
        "target": None if target is None else turn.state.board.ids[target],
        **draw.form(),
        "scope": scope if stream.draws else None,
        "draws": stream.draws,
    }
    turn.play.emit("barbaria_spread", data)
    if target is not None:
        fall(turn.play, target)


def _lose_one(turn: Turn, nation: str, zones: list[int]) -> None:
    """MAP-110: the picks of a turn are successive draws of one scope."""
    if not zones:
        return
    scope = f"decay:{nation}"
    stream = turn.dice.stream(scope)
    before = stream.draws
    number = stream.int(len(zones))
    draws = stream.draws - before
    zone = zones[number]
    data = {
        "nation": nation,
        "among": [turn.state.board.ids[item] for item in zones],
        "zone": turn.state.board.ids[zone],
        "scope": scope if draws else None,
        "draws": draws,
        "r": number if draws else None,
    }
    turn.play.emit("decayed", data)
    fall(turn.play, zone)


def _beside_barbaria(state: State, zone: int) -> bool:
    return any(state.owner[other] == BARBARIANS for other in state.board.neighbours[zone])
