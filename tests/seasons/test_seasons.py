"""Seasons recorded once are decided the same for ever; one that was altered is found out."""

from collections.abc import Callable
from pathlib import Path

import jsonschema
import orjson
import pytest

from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.judging import Context
from services.resolver.hosting.secrets import MasterKey
from services.resolver.hosting.snapshots import decode, encode
from services.resolver.replay import replay
from shared.events import JournalEvent
from shared.export import Export, chronicle_of, read_export, write_export
from shared.host_events import CREATED
from shared.rules import GAMES
from shared.schemas import stored
from tests.seasons.record import Season, play
from tests.unit.tools.exports import edit, events_of, forged, place
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
def test_the_chronicle_of_a_recorded_season_verifies_too(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    recorded = season(name)
    path = tmp_path / "public.jsonl"
    path.write_bytes(b"".join(write_export(recorded.game, "chronicle", chronicle_of(recorded.events))))
    assert load().main([str(path), "--against", str(FOLDER / f"{name}.jsonl")]) == 0
    assert capsys.readouterr().out.rstrip().endswith("all holds")


@pytest.mark.parametrize("name", SEASONS)
def test_every_event_of_a_recorded_season_fits_its_stored_schema(name: str) -> None:
    validators: dict[str, jsonschema.Draft202012Validator] = {}
    for event in season(name).events:
        if event.type not in validators:
            validators[event.type] = jsonschema.Draft202012Validator(stored(event.type))
        validators[event.type].validate(event.data)


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


def test_a_season_played_now_leaves_the_game_that_its_journal_gives(tmp_path: Path) -> None:
    played = played_now(tmp_path)
    folded: HostedGame | None = None
    for event in played.journal:
        folded = fold(folded, JournalEvent(**orjson.loads(event.line())))
    assert folded is not None
    assert encode(folded) == encode(played.hosted)
    assert list(replay(played.journal)) == []


def played_now(folder: Path) -> Season:
    key = folder / "master.key"
    key.write_text("11" * 32)
    key.chmod(0o600)
    store: dict[str, bytes] = {}
    made = Season("now", Context(MasterKey(key), store.get), store)
    play(made)
    return made


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (edit("assaults_ordered", 2, draws=0), "WRONG line {line}: event {n} (warledger.gxc.assaults_ordered.v1)"),
        (edit("battle", 3, scope="elsewhere"), "'elsewhere' is no scope of gxc"),
        (edit("battle", 3, place="nowhere"), "at nowhere has the scope"),
    ],
)
def test_the_dice_that_gxc_records_are_checked(
    change: Callable[[list[JournalEvent]], None], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = forged(FOLDER.joinpath("gxc-1.jsonl").read_bytes().splitlines(keepends=True), change)
    path = tmp_path / "export.jsonl"
    path.write_bytes(b"".join(lines))
    assert load().main([str(path)]) == 1
    n = place(events_of(lines), "assaults_ordered", 2) + 1
    assert words.format(line=n + 1, n=n) in capsys.readouterr().out


def test_the_order_of_assaults_is_drawn_anew_from_the_seed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = FOLDER.joinpath("gxc-1.jsonl").read_bytes().splitlines(keepends=True)
    found = [event.data["targets"] for event in events_of(lines) if event.type.endswith(".assaults_ordered.v1")]
    nth = next(index for index, targets in enumerate(found) if len(targets) > 1)
    changed = forged(lines, edit("assaults_ordered", nth, targets=found[nth][::-1]))
    path = tmp_path / "export.jsonl"
    path.write_bytes(b"".join(changed))
    assert load().main([str(path)]) == 1
    assert f"the seed gives the order {', '.join(found[nth])} with" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (edit("attack_rolled", 5, attack_dice=[6, 6, 6]), "the seed gives the dice ["),
        (edit("attack_rolled", 5, draws=7), "the seed gives the dice ["),
        (edit("attack_rolled", 5, scope="attack:one"), "'attack:one' is no scope of exgenhoca"),
        (edit("territory_lost", 0, draws=3), "what has no scope has no draws"),
        (edit("dealt", 0, owners={"peru": 1}), "territories: the key of setup gives {"),
        (edit("tokens_placed", 0, tokens={}), "hidden effects placed: the key of setup gives {"),
        (edit("effect_revealed", 1, effect="N7"), "hidden effects found or revealed: the key of setup gives {"),
        (edit("objectives_shuffled", 0, order=["O01"]), "order of objectives: the key of setup gives ["),
    ],
)
def test_the_dice_that_exgenhoca_records_are_drawn_anew(
    change: Callable[[list[JournalEvent]], None], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = FOLDER.joinpath("exgenhoca-1.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "export.jsonl"
    path.write_bytes(b"".join(forged(lines, change)))
    assert load().main([str(path)]) == 1
    assert words in capsys.readouterr().out


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
