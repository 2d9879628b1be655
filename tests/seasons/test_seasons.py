"""Seasons recorded once are decided the same for ever; one that was altered is found out."""

from pathlib import Path

import jsonschema
import pytest

from services.resolver.export import Export, read_export
from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.snapshots import decode, encode
from services.resolver.replay import replay
from shared.host_events import CREATED
from shared.rules import GAMES
from shared.schemas import stored
from tests.unit.tools.loading import load

FOLDER = Path(__file__).parent
SEASONS = sorted(path.stem for path in FOLDER.glob("*.jsonl") if not path.stem.endswith("-altered"))
ALTERED = {"gxc-1-altered": "warledger.gxc.energies.v1"}
"""Season -> type of the one event that was changed, with fitting hashes beside it."""


def season(name: str) -> Export:
    with (FOLDER / f"{name}.jsonl").open("rb") as file:
        return read_export(file)


@pytest.mark.parametrize("name", SEASONS)
def test_a_recorded_season_is_decided_again_without_a_difference(name: str) -> None:
    assert list(replay(season(name).events)) == []


@pytest.mark.parametrize("name", SEASONS)
def test_a_recorded_season_verifies_for_a_stranger(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert load().main([str(FOLDER / f"{name}.jsonl")]) == 0
    assert capsys.readouterr().out.rstrip().endswith("all holds")


@pytest.mark.parametrize("name", SEASONS)
def test_every_event_of_a_recorded_season_fits_its_stored_schema(name: str) -> None:
    for event in season(name).events:
        jsonschema.validate(event.data, stored(event.type))


@pytest.mark.parametrize("name", SEASONS)
def test_a_recorded_season_goes_through_a_snapshot_at_any_place(name: str) -> None:
    whole: HostedGame | None = None
    resumed: HostedGame | None = None
    for event in season(name).events:
        whole = fold(whole, event)
        if resumed is not None and event.n % 97 == 0 and not resumed.announced and resumed.creation is None:
            resumed = decode(encode(resumed))
        resumed = fold(resumed, event)
    assert whole is not None
    assert resumed is not None
    assert encode(whole) == encode(resumed)


@pytest.mark.parametrize("name", sorted(ALTERED))
def test_an_altered_season_is_found_out_at_the_altered_event(name: str) -> None:
    events = season(name).events
    first = next(iter(replay(events)))
    assert events[first.n - 1].type == ALTERED[name]
    assert first.cause == "the recorded event is not the decided one"
    original = season(name.removesuffix("-altered")).events
    assert first.actual == original[first.n - 1].line()


@pytest.mark.parametrize("name", sorted(ALTERED))
def test_an_altered_season_does_not_verify(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert load().main([str(FOLDER / f"{name}.jsonl")]) == 1
    assert "sealed: nonce, state or the events from event" in capsys.readouterr().out


def test_every_rules_version_has_a_recorded_season() -> None:
    recorded = {
        (event.data["kind"], event.data["rules"])
        for name in SEASONS
        for event in season(name).events
        if event.type == CREATED
    }
    missing = {(item.game, item.version) for item in GAMES} - recorded
    assert not missing, f"no season of {missing}; see tests/seasons/record.py"
