"""A war moves from one house to another by the command line, with its players; a house comes back from a backup."""

import hashlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from services.gateway.accounts import Accounts
from shared.clock import SystemClock
from shared.config import ConfigError
from shared.events import CERTIFIED, JournalEvent
from shared.export import read_export
from tests.unit.gateway.house import CHEAP, House, Player
from tests.unit.tools.exports import edit, forged
from tests.unit.tools.loading import load
from tests.unit.warledger.running import call, eventually, rows

pytestmark = pytest.mark.slow

VERIFY = load()
PASSWORD = "a long password"


def data_of(house: House) -> Path:
    return house.settings.keys.parent


def log_in(house: House, name: str) -> Player:
    """Log in by name and password, as a person does."""
    answer = house.nobody().post("/tokens", {"name": name, "password": PASSWORD})
    assert answer.status_code == 201, answer.get_data(as_text=True)
    return Player(house.app, answer.get_json()["token"])


class War:
    """A war of ana and bia in the middle of its second turn."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.operator = house.somebody("operator")
        self.game = house.war(self.operator)
        accounts = Accounts(house.documents, SystemClock(), CHEAP)
        self.ids = {
            name: accounts.create(name, "player", PASSWORD, f"{name}@example.org").id for name in ("ana", "bia")
        }
        for name, team, place in (("ana", "red", "dunmere"), ("bia", "blue", "elmgate")):
            for type, payload in (("join", {"team": team}), ("place", {"territory": place}), ("energize", {})):
                self.give(name, type, payload)
        self.give("ana", "set_order", {"attack": {"target": "elmgate", "energy": 10}})
        self.close(1)
        for name in ("ana", "bia"):
            self.give(name, "energize", {})

    def give(self, name: str, type: str, payload: dict[str, Any]) -> None:
        answer = log_in(self.house, name).command(self.game, type, payload)
        assert answer.status_code == 201, answer.get_data(as_text=True)

    def close(self, turn: int) -> None:
        answer = self.operator.command(self.game, "close_turn", {"turn": turn})
        assert answer.status_code == 201, answer.get_data(as_text=True)


@pytest.fixture
def war(house: House) -> War:
    return War(house)


@pytest.fixture
def far(tmp_path: Path) -> Path:
    """The folder of a house that is not there yet, on another machine."""
    return tmp_path / "far" / "data"


def opened(folder: Path) -> House:
    house = House(folder)
    house.run()
    return house


@pytest.fixture
def houses() -> Iterator[list[House]]:
    """Houses that a test opens and nobody else closes."""
    made: list[House] = []
    yield made
    for house in made:
        house.close()


def exported(war: War, path: Path, *options: str) -> Path:
    done = call(data_of(war.house), "export", war.game, "--out", str(path), *options)
    assert done.exit_code == 0, done.output
    return path


def test_a_war_moves_with_its_players_and_goes_on(
    war: War, far: Path, tmp_path: Path, houses: list[House], capsys: pytest.CaptureFixture[str]
) -> None:
    pages = [f"/games/{war.game}{page}" for page in ("/map", "/roster", "/turns/1", "/certificates")]
    shown = [war.house.nobody().get(page).get_json() for page in pages]
    journal = exported(war, tmp_path / "war.jsonl", "--freeze")
    people = tmp_path / "people.jsonl"
    assert call(data_of(war.house), "account", "export", "--game", war.game, "--out", str(people)).exit_code == 0

    moved = len(read_export(journal.read_bytes().splitlines(keepends=True)).events)
    done = call(far, "import", str(journal))
    assert (done.exit_code, f"{war.game} is here" in done.output) == (0, True), done.output
    assert call(far, "account", "import", str(people)).exit_code == 0

    new = opened(far)
    houses.append(new)
    eventually(lambda: new.nobody().get(pages[0]).status_code == 200, "the views of the new house show the war")
    eventually(lambda: new.context.reads.views.games()[0].n > moved, "all is shown")
    assert [new.nobody().get(page).get_json() for page in pages] == shown

    operator = new.somebody("operator")
    ana = log_in(new, "ana")
    assert ana.command(war.game, "set_order", {"defend": 1}).status_code == 201
    assert operator.command(war.game, "close_turn", {"turn": 2}).status_code == 201

    again = tmp_path / "again.jsonl"
    assert call(far, "export", war.game, "--out", str(again)).exit_code == 0
    before, now = journal.read_bytes().splitlines(), again.read_bytes().splitlines()
    assert now[: len(before) - 1] == before[:-1]
    behind = now[len(before) - 1 :]
    types = [orjson.loads(line)["event"]["type"] for line in behind[:2]]
    assert types == ["warledger.host.game.moved.v1", "warledger.host.chain.started.v1"]
    assert call(far, "replay", war.game).exit_code == 0
    kept = exported(war, tmp_path / "kept.jsonl", "--public")
    assert VERIFY.main([str(again), "--against", str(kept)]) == 0
    said = capsys.readouterr().out
    assert "turn:2: certificate 2, 4 inputs, seed 1 of chain 1: holds" in said
    assert "compared 1 certificates with the other export" in said


def test_the_old_house_keeps_the_war_and_judges_nothing_until_it_is_released(war: War, tmp_path: Path) -> None:
    journal = exported(war, tmp_path / "war.jsonl", "--freeze").read_bytes()
    ana = log_in(war.house, "ana")
    answer = ana.command(war.game, "set_order", {"defend": 1}, Prefer="respond-async")
    assert answer.status_code == 202
    eventually(lambda: war.house.context.reads.views.games()[0].quarantined, "operators see that it stands still")
    assert exported(war, tmp_path / "again.jsonl", "--freeze").read_bytes() == journal

    assert war.operator.command(war.game, "release_game", {}).status_code == 201
    location = answer.headers["Location"]
    eventually(lambda: ana.get(location).status_code == 200, "the order that waited is judged")


def test_a_war_comes_to_a_house_that_runs(war: War, tmp_path: Path, far: Path, houses: list[House]) -> None:
    new = opened(far)
    houses.append(new)
    operator = new.somebody("operator")
    other = new.war(operator, True)
    player = new.recruit(other, "red", "dunmere")
    journal = exported(war, tmp_path / "war.jsonl", "--freeze")
    renamed = tmp_path / "renamed.jsonl"
    renamed.write_bytes(journal.read_bytes())
    assert other != war.game

    assert call(far, "import", str(renamed)).exit_code == 0

    assert player.command(other, "set_order", {"defend": 2}).status_code == 201
    eventually(lambda: new.nobody().get(f"/games/{war.game}").status_code == 200, "the war is shown")
    assert operator.command(war.game, "close_turn", {"turn": 2}).status_code == 201
    assert rows(far, "deadletters") == []
    for game in (other, war.game):
        assert call(far, "replay", game).exit_code == 0


def refused(far: Path, path: Path, code: int) -> str:
    """Try an import; nothing must be written. Returns what was said."""
    done = call(far, "import", str(path))
    assert done.exit_code == code, done.output
    assert not (far / "log" / "journal.db").exists()
    return done.output


def test_a_damaged_export_is_refused_with_line_and_reason(war: War, far: Path, tmp_path: Path) -> None:
    lines = exported(war, tmp_path / "war.jsonl").read_bytes().splitlines(keepends=True)
    damaged = tmp_path / "damaged.jsonl"
    damaged.write_bytes(b"".join([*lines[:7], lines[7].replace(b'"n":7', b'"n":7 '), *lines[8:]][:8]) + lines[9])
    assert "damaged.jsonl: line 9: event 9 stands where event 8 belongs" in refused(far, damaged, 2)
    damaged.write_bytes(b"".join([*lines[:9], lines[9].replace(b"input", b"imput", 1), *lines[10:]]))
    assert "damaged.jsonl: line 10: event 9, " in refused(far, damaged, 2)
    damaged.write_bytes(b"")
    assert "damaged.jsonl: line 1: " in refused(far, damaged, 2)


def test_an_export_that_somebody_rewrote_is_refused_with_what_does_not_hold(
    war: War, far: Path, tmp_path: Path
) -> None:
    lines = exported(war, tmp_path / "war.jsonl").read_bytes().splitlines(keepends=True)
    rewritten = tmp_path / "rewritten.jsonl"
    rewritten.write_bytes(b"".join(forged(lines, edit("resolution.certified", seed="ab" * 32))))
    said = refused(far, rewritten, 1)
    assert "it is not brought in" in said
    assert "seed: it does not lead to what was committed" in said


def test_an_export_that_its_rules_do_not_decide_is_refused_though_its_hashes_hold(
    war: War, far: Path, tmp_path: Path
) -> None:
    lines = exported(war, tmp_path / "war.jsonl").read_bytes().splitlines(keepends=True)
    rewritten = tmp_path / "rewritten.jsonl"
    rewritten.write_bytes(b"".join(forged(lines, more_energy_behind_the_last_certificate)))
    assert call(data_of(war.house), "verify", str(rewritten)).exit_code == 0
    assert "is not what its rules decide, so it is not brought in: event " in refused(far, rewritten, 1)


def more_energy_behind_the_last_certificate(events: list[JournalEvent]) -> None:
    """What somebody does who carries the file and likes red."""
    index = max(index for index, event in enumerate(events) if event.type == "warledger.gxc.energized.v1")
    given = events[index].data
    events[index] = events[index]._replace(data={**given, "energy": given["energy"] + 1})


def test_an_import_counts_what_no_certificate_proves_and_takes_the_file_of_one_hash(
    war: War, far: Path, tmp_path: Path
) -> None:
    path = tmp_path / "war.jsonl"
    (said,) = rows(data_of(war.house), "export", war.game, "--freeze", "--out", str(path))
    assert said["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    types = [event.type for event in read_export(path.read_bytes().splitlines(keepends=True)).events]
    other = hashlib.sha256(b"another file").hexdigest()
    wrong = call(far, "import", str(path), "--sha256", other)
    assert (wrong.exit_code, said["sha256"] in wrong.output, (far / "log").exists()) == (1, True, False)

    (done,) = rows(far, "import", str(path), "--sha256", said["sha256"].upper())
    assert done["unproved"] == types[::-1].index(CERTIFIED) > 0


def test_a_public_export_is_refused(war: War, far: Path, tmp_path: Path) -> None:
    public = exported(war, tmp_path / "public.jsonl", "--public")
    assert "which `warledger export` writes without --public" in refused(far, public, 2)


def test_a_house_that_has_the_game_refuses_it(war: War, tmp_path: Path) -> None:
    journal = exported(war, tmp_path / "war.jsonl")
    done = call(data_of(war.house), "import", str(journal))
    assert (done.exit_code, "has a game" in done.output) == (2, True)
    assert exported(war, tmp_path / "again.jsonl").read_bytes() == journal.read_bytes()


def test_a_journal_can_be_read_by_its_owner_alone(war: War, tmp_path: Path) -> None:
    path = tmp_path / "war.jsonl"
    path.touch(mode=0o644)
    assert exported(war, path).stat().st_mode & 0o777 == 0o600
    assert exported(war, path, "--public").stat().st_mode & 0o777 == 0o644
    both = call(data_of(war.house), "export", war.game, "--out", str(path), "--public", "--freeze")
    assert both.exit_code == 2


def test_accounts_move_without_tokens_and_with_nothing_of_this_machines_operator(war: War, tmp_path: Path) -> None:
    path = tmp_path / "people.jsonl"
    path.touch(mode=0o644)
    assert call(data_of(war.house), "account", "export", "--out", str(path)).exit_code == 0
    assert path.stat().st_mode & 0o777 == 0o600
    listed = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    assert listed[0] == {"format": "warledger-accounts", "version": 1}
    assert {item["name"]: item["id"] for item in listed[1:]} == war.ids
    assert all(set(item) == {"id", "name", "role", "email", "password", "created_at"} for item in listed[1:])
    assert all(item["password"].startswith("$argon2id$") for item in listed[1:])


def test_an_account_without_a_password_gets_a_new_token(
    war: War, far: Path, tmp_path: Path, houses: list[House]
) -> None:
    bot = war.house.somebody()
    path = tmp_path / "people.jsonl"
    assert call(data_of(war.house), "account", "export", "--out", str(path)).exit_code == 0
    arrived = {row["id"]: row for row in rows(far, "account", "import", str(path))}
    assert arrived[bot.account]["said"] == "taken in"
    assert arrived[war.ids["ana"]]["token"] is None
    new = opened(far)
    houses.append(new)
    assert Player(new.app, arrived[bot.account]["token"]).get("/accounts/me").get_json()["id"] == bot.account
    assert Player(new.app, bot.token).get("/accounts/me").status_code == 401


def test_an_account_that_is_there_is_left_alone_and_a_name_is_given_once(
    war: War, far: Path, tmp_path: Path, houses: list[House]
) -> None:
    path = tmp_path / "people.jsonl"
    assert call(data_of(war.house), "account", "export", "--out", str(path)).exit_code == 0
    new = House(far)
    houses.append(new)
    holder = Accounts(new.documents, SystemClock(), CHEAP).create("Bia", "player", PASSWORD).id
    done = call(far, "account", "import", str(path), "--json")
    assert done.exit_code == 1
    said = {row["name"]: row["said"] for row in map(orjson.loads, done.stdout.splitlines())}
    assert said == {"ana": "taken in", "bia": f"the name is that of {holder} here"}
    again = {row["name"]: row["said"] for row in rows(far, "account", "import", str(path))}
    assert again["ana"] == "there already"
    log_in(new, "Bia")


HEADER = '{"format":"warledger-accounts","version":1}\n'


@pytest.mark.parametrize(
    ("text", "line"), [("", 1), ("{}\n", 1), ("nonsense\n", 1), (HEADER + '{"id":"u1"}\n', 2), (HEADER + "{", 2)]
)
def test_a_file_that_holds_no_accounts_is_refused_with_its_line(
    far: Path, tmp_path: Path, text: str, line: int
) -> None:
    path = tmp_path / "people.jsonl"
    path.write_text(text)
    done = call(far, "account", "import", str(path))
    assert (done.exit_code, f"{path}: line {line}: " in done.output) == (2, True), done.output


def test_a_house_from_a_backup_starts_new_chains_and_rolls_other_dice(
    war: War, tmp_path: Path, houses: list[House]
) -> None:
    backup = tmp_path / "backup"
    shutil.copytree(data_of(war.house), backup, ignore=shutil.ignore_patterns("nudges"))
    war.close(2)
    lost = war.house.nobody().get(f"/games/{war.game}/certificates").get_json()["certificates"]

    assert rows(backup, "game", "renew-chain", "--all") == [{"game": war.game, "chain": 1}]

    restored = opened(backup)
    houses.append(restored)
    operator = restored.somebody("operator")
    assert operator.command(war.game, "close_turn", {"turn": 2}).status_code == 201
    found = restored.nobody().get(f"/games/{war.game}/certificates").get_json()["certificates"]
    assert [item["label"] for item in found] == [item["label"] for item in lost] == ["turn:1", "turn:2"]
    assert found[0] == lost[0]
    assert found[1]["seed"] != lost[1]["seed"]
    path = tmp_path / "restored.jsonl"
    assert call(backup, "export", war.game, "--out", str(path)).exit_code == 0
    verified = call(backup, "verify", str(path))
    assert verified.exit_code == 0
    assert "(reason: restore; key id" in verified.output
    eventually(lambda: restored.context.reads.views.generation() == 2, "the views were made anew")


def test_renewing_needs_games_or_all(far: Path) -> None:
    assert call(far, "game", "renew-chain").exit_code == 2
    assert call(far, "game", "renew-chain", "g1", "--all").exit_code == 2


def test_a_house_that_a_war_was_just_brought_into_lacks_no_messages(war: War, far: Path, tmp_path: Path) -> None:
    war.give("ana", "chat", {"channel": "team", "text": "this stays where it was said"})
    journal = exported(war, tmp_path / "war.jsonl", "--freeze")
    assert call(far, "import", str(journal)).exit_code == 0
    assert not (far / "docs" / "messages.db").exists()
    found = [item for item in rows(far, "doctor")[:-1] if "messages.db" in item["said"]]
    assert [(item["level"], "stay in the house" in item["help"]) for item in found] == [("note", True)]


def test_a_lost_master_key_is_made_anew_by_a_renewal_for_that_reason_alone(war: War) -> None:
    war.house.settings.secret_file.unlink()
    done = call(data_of(war.house), "game", "renew-chain", "--all")
    assert isinstance(done.exception, ConfigError)
    done = call(data_of(war.house), "game", "renew-chain", "--all", "--reason", "key")
    assert (done.exit_code, war.game in done.output) == (0, True), done.output
    assert [item for item in rows(data_of(war.house), "doctor")[:-1] if item["check"] == "keys"] == []
