"""Seasons recorded once are decided the same for ever; one that was altered is found out."""

from collections.abc import Callable
from pathlib import Path

import jsonschema
import orjson
import pytest

from services.resolver.hosting.folding import fold
from services.resolver.hosting.game import HostedGame
from services.resolver.hosting.snapshots import decode, encode
from services.resolver.replay import replay
from shared.canonical import canonical
from shared.events import JournalEvent
from shared.export import Export, chronicle_of, read_export, write_export
from shared.host_events import CREATED
from shared.rules import GAMES
from shared.schemas import stored
from tests.seasons.record import play
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


@pytest.mark.parametrize("game", sorted({item.game for item in GAMES}))
def test_a_season_played_now_leaves_the_game_that_its_journal_gives(game: str) -> None:
    played = play("now", game, "11" * 32)
    folded: HostedGame | None = None
    for event in played.journal:
        folded = fold(folded, JournalEvent(**orjson.loads(event.line())))
    assert folded is not None
    assert encode(folded) == encode(played.hosted)
    assert list(replay(played.journal)) == []


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
        (edit("attack_rolled", 3, attack_dice=[6, 6, 6]), "the seed gives the dice"),
        (edit("attack_rolled", 3, A=99), "dice and modifiers of the attack give"),
        (edit("attack_rolled", 3, scope="attack:2"), "have the scope"),
        (edit("attack_rolled", 3, scope="elsewhere"), "'elsewhere' is no scope of exgenhoca"),
        (edit("territory_lost", 0, draws=3), "what has no scope has no draws"),
        (edit("dealt", 0, draws=0), "the seed gives the deal"),
        (edit("tokens_placed", 0, tokens={}), "the seed hides the effects as"),
        (edit("objectives_shuffled", 0, draws=1), "the seed gives the objectives in the order"),
        (edit("effect_revealed", 0, effect="N5"), "are not those that its seed hides"),
    ],
)
def test_the_dice_of_exgenhoca_are_drawn_anew(
    change: Callable[[list[JournalEvent]], None], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = forged(FOLDER.joinpath("exgenhoca-1.jsonl").read_bytes().splitlines(keepends=True), change)
    path = tmp_path / "export.jsonl"
    path.write_bytes(b"".join(lines))
    assert load().main([str(path)]) == 1
    assert words in capsys.readouterr().out


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (edit("battle_started", 0, draws=0), "the seed gives side"),
        (edit("battle_started", 0, to_move="X"), "the seed gives side"),
        (edit("battle_started", 0, scope="start"), "'start' is no scope of space-battle"),
    ],
)
def test_the_first_mover_of_space_battle_is_drawn_anew(
    change: Callable[[list[JournalEvent]], None], words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SPB-108."""
    lines = forged(FOLDER.joinpath("space-battle-1.jsonl").read_bytes().splitlines(keepends=True), change)
    path = tmp_path / "export.jsonl"
    path.write_bytes(b"".join(lines))
    assert load().main([str(path)]) == 1
    assert words in capsys.readouterr().out


def test_a_stranger_draws_the_deal_anew_once_its_key_is_revealed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    events = list(chronicle_of(season("exgenhoca-1").events))
    first = next(event for event in events if event.type.endswith(".dealt.v1"))
    owners = dict(first.data["owners"])
    owners.update(dict.fromkeys(owners, 1))
    changed = [event._replace(data={**event.data, "owners": owners}) if event is first else event for event in events]
    path = tmp_path / "public.jsonl"
    path.write_bytes(b"".join(write_export("exgenhoca-1", "chronicle", changed)))
    assert load().main([str(path)]) == 1
    assert "the seed gives the deal" in capsys.readouterr().out


def test_a_forced_loss_is_drawn_anew() -> None:
    tool = load()
    held = ["argelia", "brasil"]
    drawn = held[tool.draw(tool.words(bytes(32), "close"), 2)]
    other = held[1 - held.index(drawn)]
    assert _forced_loss(drawn, held) == []
    assert _forced_loss(other, held) == [f"the seed takes {drawn} from the 2 territories of seat 1"]


def _forced_loss(lost: str, held: list[str]) -> list[str]:
    """What is said of the loss of one of these territories at a close whose seed is zeros."""
    tool = load()
    said: list[str] = []
    dice = tool.ExgenhocaDice(lambda _line, words: said.append(words))
    told = (
        ("dealt", {"scope": "setup", "draws": 0, "owners": dict.fromkeys(held, 1)}),
        ("territory_lost", {"scope": "close", "draws": 1, "seat": 1, "territory": lost}),
    )
    for n, (name, data) in enumerate(told, 1):
        event = {"data": data, "n": n, "to": ["public"], "type": f"warledger.exgenhoca.{name}.v1"}
        line = tool.Line(n, canonical({"event": event, "hash": ""}))
        dice.saw(line)
    dice.rolled([line], "round:3:close", bytes(32))
    return said


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
