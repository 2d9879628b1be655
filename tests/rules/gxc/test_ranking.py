"""Winners and ranks (GXC-95, GXC-96)."""

from shared.rules.gxc.ranking import Standing, rank, winner


def _standing(team: str, status: str = "active", **key: int) -> Standing:
    ended = (key["turn"], key["step"]) if "turn" in key else None
    return Standing(team, status, key.get("land", 0), key.get("energy", 0), key.get("conquests", 0), ended)


def _ranks(standings: list[Standing]) -> list[tuple[str, int]]:
    return [(entry["team"], entry["rank"]) for entry in rank(standings)]


def test_territories_then_energy_then_conquests_decide_among_survivors() -> None:
    teams = [
        _standing("a", land=3, energy=9, conquests=9),
        _standing("b", land=4, energy=1, conquests=1),
        _standing("c", land=4, energy=1, conquests=2),
        _standing("d", land=4, energy=2, conquests=0),
    ]
    assert _ranks(teams) == [("d", 1), ("c", 2), ("b", 3), ("a", 4)]
    assert winner(rank(teams), teams) == "d"


def test_equal_keys_share_a_rank_and_a_shared_first_place_is_no_victory() -> None:
    teams = [_standing("a", land=3), _standing("b", land=3), _standing("c", land=1)]
    assert _ranks(teams) == [("a", 1), ("b", 1), ("c", 3)]
    assert winner(rank(teams), teams) is None


def test_the_eliminated_stand_by_later_turn_then_later_step_and_the_disqualified_last() -> None:
    teams = [
        _standing("a", "disqualified", land=9, energy=9),
        _standing("b", "eliminated", turn=3, step=9),
        _standing("c", "eliminated", turn=4, step=1),
        _standing("d", "eliminated", turn=4, step=2),
        _standing("e", "disqualified"),
        _standing("f"),
    ]
    assert _ranks(teams) == [("f", 1), ("d", 2), ("c", 3), ("b", 4), ("a", 5), ("e", 5)]


def test_nobody_wins_when_nobody_is_left() -> None:
    teams = [_standing("a", "eliminated", turn=3, step=9), _standing("b", "disqualified")]
    assert winner(rank(teams), teams) is None
    assert winner(rank([]), []) is None
