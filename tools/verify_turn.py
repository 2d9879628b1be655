#!/usr/bin/env python3
"""Check the dice, inputs and certificates of a Warledger game. One file, Python 3.11, standard library only.

    python verify_turn.py EXPORT [--receipt RECEIPT.json [--cover JUDGEMENT.json]] [--against PUBLIC_EXPORT]

EXPORT is what `warledger export` wrote: the journal of a game (complete, for operators and once a game has ended) or
its chronicle (`--public`: what everybody may know at any time). This program shares no code with Warledger; it follows
the written rules ENG-3, ENG-7 and ENG-8 and docs/proof.md. What it checks:

  both forms   positions without gaps, up to the last line, which tells their number; every line against the running
               hash written beside it; each revealed seed against the commitment; the digest of each resolution
               against its leaves; each certificate against the one before it and against the public events since
               then; chains, sealed keys and data against what was published of them; scopes of dice; the dice that
               events record drawn anew from the seed (GXC: the order of assaults; Exgenhoca Wars: all of them).
  journal      the hash of each input over its content and salt; judgements without gaps; that each accepted input is
               in exactly one digest, or below exactly one private root; the sealed hash of each certificate over
               nonce, journal and state.

What it does not check: the battles and every other rule of the games. `warledger replay` decides them again.

With --receipt it also looks for the leaf of the input that a receipt confirms; with --cover it follows the path of a
private command (in the answer of GET /games/{id}/inputs/{input}) to its certificate. With --against it compares the
certificates with another export of the same game, for instance one that a spectator kept while the game ran; it must
not have more of them.

Prints a line for each resolution, then what is wrong. Exit status: 0 all holds, 1 something does not, 2 no such file
or no export.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

CHAIN_LENGTH = 1024
NOTHING = bytes(32)
TALK = {"chat", "send_team_mail", "send_mail", "mail"}
PRIVATE = {"exgenhoca": {"set_policy"}, "space-battle": {"deploy"}}
"""By game: commands that are certified apart from the digest, in games whose creation says `private_apart`."""
PATH_LENGTH = 48
INPUT_FIELDS = {"actor", "game", "id", "payload", "role", "salt", "type"}
JOURNAL_ONLY = {"nonce", "state", "sealed_key"}
HASH = re.compile(r"[0-9a-f]{64}\Z")
ID = r"[A-Za-z0-9_-]{1,64}"
SCOPES = {
    "gxc": re.compile(rf"(order|border:{ID}:{ID}|assault:{ID})\Z"),
    "exgenhoca": re.compile(r"(setup|attack:[1-9]\d*|close)\Z"),
    "forces": re.compile(rf"(setup|combat:{ID})\Z"),
    "space-battle": re.compile(r"(battle)\Z"),
    "map-war": re.compile(rf"(riot:{ID}|spread:{ID}|decay:{ID}|npc:{ID})\Z"),
}


class NoExport(Exception):
    """The file is no export; the message says why."""


def canonical(value: Any) -> bytes:
    """Canonical JSON (ENG-7)."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def sha256(data: bytes | str) -> str:
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def running(before: bytes, line: bytes) -> bytes:
    """The running hash after one more line (docs/proof.md)."""
    return hashlib.sha256(before + line + b"\n").digest()


# Dice (ENG-7, ENG-8)


def resolution_seed(key: bytes, game: str, label: str, digest: str) -> bytes:
    return hmac.new(key, f"{game}|{label}|{digest}|".encode(), hashlib.sha256).digest()


def words(seed: bytes, scope: str) -> Iterator[int]:
    block = 0
    while True:
        data = hashlib.shake_256(seed + f"|{scope}|{block}".encode()).digest(512)
        yield from (int.from_bytes(data[place : place + 4], "big") for place in range(0, 512, 4))
        block += 1


def draw(stream: Iterator[int], n: int) -> int:
    """The next draw of 0 to n - 1."""
    limit = 2**32 - 2**32 % n
    while True:
        word = next(stream)
        if word < limit:
            return word % n


def shuffled(items: list[str], stream: Iterator[int]) -> list[str]:
    items = list(items)
    for i in range(len(items) - 1, 0, -1):
        j = draw(stream, i + 1)
        items[i], items[j] = items[j], items[i]
    return items


# Private inputs (ENG-7, docs/proof.md)


def goes_right(leaf: str, depth: int) -> int:
    return int(leaf[:12], 16) >> (PATH_LENGTH - 1 - depth) & 1


def private_root(leaves: list[str], nonce: str, place: str = "") -> str:
    """The root over the leaves of private inputs; where none is hangs a hash of the nonce."""
    if not leaves:
        return sha256(f"{nonce}|{place}")
    if len(place) == PATH_LENGTH:
        return leaves[0] if len(leaves) == 1 else sha256("".join(sorted(leaves)))
    sides = [[leaf for leaf in leaves if goes_right(leaf, len(place)) == side] for side in (0, 1)]
    return sha256("".join(private_root(side, nonce, f"{place}{number}") for number, side in enumerate(sides)))


def path_root(leaf: str, path: list[str]) -> str:
    """Where a path leads from a leaf; it names what hangs on the other side, from below."""
    node = leaf
    for depth, beside in zip(range(PATH_LENGTH - 1, -1, -1), path, strict=True):
        node = sha256(beside + node if goes_right(leaf, depth) else node + beside)
    return node


# The file


class Line:
    """One event of the export, and where it stands."""

    def __init__(self, number: int, raw: bytes) -> None:
        self.number = number
        value = json.loads(raw)
        if canonical(value) != raw.rstrip(b"\n"):
            raise ValueError("it is not in canonical form")
        event = value["event"]
        self.hash: str = value["hash"]
        self.n: int = event["n"]
        self.type: str = event["type"]
        self.data: dict[str, Any] = event["data"]
        self.to: list[str] = event["to"]
        self.bytes = canonical(event)
        if type(self.n) is not int or not isinstance(self.type, str) or not isinstance(self.data, dict):
            raise ValueError("an event has n, type, data and to")

    @property
    def name(self) -> str:
        """Name of a host event, without prefix and version; "" for an event of the game."""
        match = re.fullmatch(r"warledger\.host\.(.+)\.v\d+", self.type)
        return match[1] if match else ""

    @property
    def certificate(self) -> bool:
        return self.name == "resolution.certified"

    @property
    def ends_the_game(self) -> bool:
        return re.fullmatch(r"warledger\.[^.]+\.game_ended\.v\d+", self.type) is not None

    def __str__(self) -> str:
        said = f"event {self.n} ({self.type})"
        if self.name.startswith("input.") and isinstance(self.data.get("input"), dict):
            said += f", the input {self.data['input'].get('id')}"
        return said


class Export:
    """The header and the lines that can be read."""

    def __init__(self, path: Path) -> None:
        self.problems: list[str] = []
        self.lines: list[Line] = []
        self.unreadable: set[int] = set()
        with path.open("rb") as file:
            try:
                header = json.loads(file.readline())
                if header["format"] != "warledger-export" or header["version"] != 1:
                    raise ValueError("another format or version")
                self.game, self.form = str(header["game"]), str(header["form"])
            except (ValueError, KeyError, TypeError) as error:
                raise NoExport(f"{path} does not begin with the header of an export: {error}") from None
            self.end: tuple[int, int, bool] | None = None
            for number, raw in enumerate(file, 2):
                try:
                    if raw.startswith(b'{"end":'):
                        self._read_end(number, raw)
                    else:
                        self.lines.append(Line(number, raw))
                except (ValueError, KeyError, TypeError) as error:
                    self.problems.append(f"line {number} (event {number - 1}) was changed or cut: {error}")
                    self.unreadable.add(number - 1)
        if self.form not in ("journal", "chronicle"):
            raise NoExport(f"{path} says that it is neither a journal nor a chronicle")
        self._check_positions()
        self._check_hashes()
        self._check_end()

    def _read_end(self, number: int, raw: bytes) -> None:
        """The last line: where it stands, how many events there are, whether the game has ended."""
        value = json.loads(raw)
        count, over = value["end"]["events"], value["end"]["over"]
        if canonical(value) != raw.rstrip(b"\n") or type(count) is not int or type(over) is not bool:
            raise ValueError("it is not in canonical form")
        if self.end is not None:
            raise ValueError("an export has one last line")
        self.end = (number, count, over)

    @property
    def over(self) -> bool:
        """Whether the game ends in what is here."""
        return any(line.ends_the_game for line in self.lines)

    def _check_end(self) -> None:
        """The end of a file can be cut off without a trace; so its last line says how much there is."""
        last = max((line.n for line in self.lines), default=0)
        last = max(last, *self.unreadable) if self.unreadable else last
        if self.end is None:
            self.problems.append(
                f"line {last + 2}: the last line is missing, which tells the number of events: the file was cut behind "
                f"event {last}"
            )
            return
        number, count, over = self.end
        behind = [line for line in self.lines if line.number > number]
        if behind:
            self.problems.append(f"line {behind[0].number}: {behind[0]} stands behind the last line")
        if count > last:
            several = f" to {count}" if count > last + 1 else ""
            self.problems.append(f"line {number}: event {last + 1}{several} is missing: dropped")
        elif count < last:
            self.problems.append(f"line {number}: it says that there are {count} events, and there are {last}")
        elif over != self.over and not self.unreadable:
            said = "has ended" if over else "has not ended"
            self.problems.append(f"line {number}: it says that the game {said}, and the events say otherwise")

    def _check_positions(self) -> None:
        there = {line.n for line in self.lines} | self.unreadable
        self.misplaced: set[int] = set()
        expected = 1
        for line in self.lines:
            if line.n != expected:
                self.misplaced.add(line.number)
                if line.n < expected:
                    self.problems.append(f"line {line.number}: {line} stands behind event {expected - 1}: swapped")
                missing = [n for n in range(expected, line.n) if n not in there]
                if missing:
                    last = f" to {missing[-1]}" if len(missing) > 1 else ""
                    self.problems.append(f"line {line.number}: event {missing[0]}{last} is missing: dropped")
            expected = max(expected, line.n + 1)

    def _check_hashes(self) -> None:
        """Name the line that does not fit the hash beside it; where lines are missing or swapped that was said."""
        before = NOTHING
        for index, line in enumerate(self.lines):
            computed = running(before, line.bytes)
            following = self.lines[index + 1] if index + 1 < len(self.lines) else None
            moved = line.number in self.misplaced or (index and self.lines[index - 1].number in self.misplaced)
            written = bytes.fromhex(line.hash) if HASH.match(line.hash) else computed
            if computed != written or computed.hex() != line.hash:
                if following is not None and running(computed, following.bytes).hex() == following.hash:
                    self.problems.append(f"line {line.number}: the hash beside {line} was changed")
                    written = computed
                elif not moved:
                    self.problems.append(f"line {line.number}: {line} was changed: it does not fit the hash beside it")
            before = NOTHING if line.certificate else written


# Dice that events record, game by game

Wrong = Callable[[Line, str], None]
"""Told of a line and of what is wrong with it."""


class Dice(Protocol):
    """How the dice of one game are checked; a class a game, listed in `DICE`. A new one is made for each export."""

    EVENTS: frozenset[str]
    """Names of the events with `scope` and `draws` that it draws anew."""

    def __init__(self, wrong: Wrong) -> None: ...

    def saw(self, line: Line) -> None:
        """An event of the game, each in its turn: what the dice depend on is gathered here."""

    def rolled(self, rolled: list[Line], label: str, seed: bytes | None) -> None:
        """The events with dice of one resolution, at its certificate; `seed` is None while it is secret.

        `words(seed, scope)` is the stream of a scope, `draw(stream, n)` an `int(n)`, `shuffled` a shuffle.
        """

    def revealed(self, line: Line, label: str, seed: bytes) -> None:
        """The seed of a sealed resolution is known from here on; `rolled` was called once more with it."""


class GxcDice:
    """GXC: the order of the assaults drawn anew, and the scopes of its battles; exchanges are not recorded."""

    EVENTS = frozenset({"assaults_ordered", "battle"})

    def __init__(self, wrong: Wrong) -> None:
        self.wrong = wrong

    def saw(self, line: Line) -> None:
        """An event of the game."""

    def rolled(self, rolled: list[Line], label: str, seed: bytes | None) -> None:
        """The dice of one resolution; `seed` is None while it is secret."""
        for line in rolled:
            stage, place = line.data.get("stage"), line.data.get("place")
            if stage is not None:
                wanted = f"border:{place}" if stage == "border" else f"assault:{place}"
                if line.data["scope"] != wanted:
                    self.wrong(line, f"the {stage} at {place} has the scope {wanted}")
        ordered = [item for item in rolled if item.type == "warledger.gxc.assaults_ordered.v1"]
        targets = [target for item in ordered for target in item.data["targets"]]
        if not ordered or seed is None:
            return
        drawn = ordered[0].data["draws"]
        expected = shuffled(sorted(targets), words(seed, "order")) if drawn else sorted(targets)
        if targets != expected or drawn not in (0, len(targets) - 1):
            self.wrong(ordered[0], f"the seed gives the order {', '.join(expected)} with {len(targets) - 1} draws")

    def revealed(self, line: Line, label: str, seed: bytes) -> None:
        """The seed of a sealed resolution is known from here on."""


class ExgenhocaDice:
    """Exgenhoca Wars: the deal, the hidden effects, every roll and every forced loss drawn anew (EXG-12, EXG-20)."""

    EVENTS = frozenset({"attack_rolled", "dealt", "objectives_shuffled", "territory_lost", "tokens_placed"})

    def __init__(self, wrong: Wrong) -> None:
        self.wrong = wrong
        self.players = 0
        self.shared = 0
        self.effects: list[str] = []
        self.owners: dict[str, int | None] = {}
        self.dealt: dict[str, int] = {}
        self.found: dict[str, str] = {}
        self.choices: dict[int, list[str]] = {}
        self.objective_set: Any = None
        self.objectives: dict[str, Any] = {}
        self.told: dict[str, Any] = {}

    def saw(self, line: Line) -> None:
        """Who owns what, and which effects came to light."""
        data = line.data
        match line.type.split(".")[2]:
            case "game_created":
                config = data["config"]
                self.players, self.shared = len(data["players"]), config["shared_territories"]
                self.effects, self.objective_set = config["effects"], config["objective_set"]
            case "map_territories":
                self.owners.update(dict.fromkeys(data["territories"]))
            case "dealt":
                self.owners.update(data["owners"])
            case "captured":
                self.owners[data["territory"]] = data["to"]
            case "sa_swapped":
                self.owners[data["given"]] = data["to"]
            case "swapped":
                self.owners[data["take"]], self.owners[data["give"]] = data["seat"], data["other"]
            case "territory_lost":
                held = sorted(item for item, owner in self.owners.items() if owner == data["seat"])
                self.choices[line.number] = held
                self.owners[data["territory"]] = None
            case "territories_released":
                self.owners.update(dict.fromkeys(data["territories"]))
            case "effect_revealed":
                self.found[data["territory"]] = data["effect"]
            case "objective_dealt" | "objective_changed":
                self.objectives[str(data["seat"])] = data["objective"]
            case "objectives_revealed":
                self.found.update(data["tokens"])
                self.told = data["objectives"]
                if self.objectives and self.told != self.objectives:
                    self.wrong(line, "the objectives revealed are not those that were dealt and changed")

    def rolled(self, rolled: list[Line], label: str, seed: bytes | None) -> None:
        """The dice of one resolution; `seed` is None while it is secret."""
        scope = label.split(":", 2)[-1]
        stream = None if seed is None else words(seed, scope)
        for line in rolled:
            if line.data["scope"] is None:
                if line.data["draws"]:
                    self.wrong(line, "what has no scope has no draws")
            elif line.data["scope"] != scope:
                self.wrong(line, f"the dice of {label} have the scope {scope}")
            elif stream is not None:
                self.compare(line, stream)

    def compare(self, line: Line, stream: Iterator[int]) -> None:
        """Draw what this event tells, behind what was drawn for those before it."""
        data, name = line.data, line.type.split(".")[2]
        if name == "attack_rolled":
            dice = [draw(stream, 6) + 1 for _ in range(6)]
            if data["attack_dice"] + data["defence_dice"] != dice or data["draws"] != 6:
                self.wrong(line, f"the seed gives the dice {dice[:3]} against {dice[3:]}")
            for side, thrown in (("A", "attack"), ("D", "defence")):
                total = sum(data[f"{thrown}_dice"]) + sum(data["modifiers"][thrown].values())
                if data[side] != total:
                    self.wrong(line, f"dice and modifiers of the {thrown} give {total}")
        elif name == "dealt":
            self.dealt = self.deal(stream)
            if data["owners"] != self.dealt or data["draws"] != len(self.owners) - 1:
                self.wrong(line, f"the seed gives the deal {self.dealt}")
        elif name == "tokens_placed":
            placed = self.hide(stream)
            if data["tokens"] != placed or data["draws"] != max(0, len(self.owners) - len(self.dealt) - 1):
                self.wrong(line, f"the seed hides the effects as {placed}")
        elif name == "objectives_shuffled":
            order = shuffled(sorted(data["order"]), stream)
            if data["order"] != order or data["draws"] != len(order) - 1:
                self.wrong(line, f"the seed gives the objectives in the order {', '.join(order)}")
        elif name == "territory_lost":
            held = self.choices[line.number]
            lost = held[draw(stream, len(held)) if len(held) > 1 else 0]
            if data["territory"] != lost or data["draws"] != (len(held) > 1):
                self.wrong(line, f"the seed takes {lost} from the {len(held)} territories of seat {data['seat']}")

    def deal(self, stream: Iterator[int]) -> dict[str, int]:
        """Territory -> seat (EXG-17)."""
        count = self.shared // self.players * self.players
        order = shuffled(sorted(self.owners), stream)[:count]
        return {territory: place % self.players + 1 for place, territory in enumerate(order)}

    def hide(self, stream: Iterator[int]) -> dict[str, str]:
        """Territory -> effect (EXG-18)."""
        return dict(zip(shuffled(sorted(set(self.owners) - set(self.dealt)), stream), self.effects, strict=False))

    def revealed(self, line: Line, label: str, seed: bytes) -> None:
        """At the end: what was found and what was left are the effects that the setup hid."""
        stream = words(seed, label)
        self.dealt = self.deal(stream)
        if self.found != self.hide(stream):
            self.wrong(line, f"{label}: the effects found and revealed are not those that its seed hides")
        self.objectives_dealt(line, stream)

    def objectives_dealt(self, line: Line, stream: Iterator[int]) -> None:
        """At the end: each seat has the first objective of the shuffled list that could be hers (EXG-19). Of an
        organiser's objectives one may have been passed over because it was fulfilled at once: of these, no order."""
        own = isinstance(self.objective_set, dict)
        remaining = shuffled(sorted(self.objective_set) if own else [f"O{n:02}" for n in range(1, 15)], stream)
        for seat in range(1, self.players + 1):
            rivals = {f"O{n:02}" for n in range(1, 7) if n == seat or n > self.players}
            fitting = remaining if own else [id for id in remaining if id not in rivals] or remaining
            had = self.told[str(seat)]["id"]
            if had not in (fitting if own or self.objective_set == "classic" else fitting[:1]):
                self.wrong(line, f"the seed does not give seat {seat} the objective {had} that was revealed")
                return
            remaining.remove(had)


class ForcesDice:
    """FORCES: seats and zones dealt, every roll and every pick of a casualty drawn anew (FOR-57, FOR-59, FOR-103)."""

    EVENTS = frozenset({"casualty", "combat_roll", "seats_given", "zones_shuffled"})

    def __init__(self, wrong: Wrong) -> None:
        self.wrong = wrong
        self.players: set[str] = set()
        self.land: set[str] = set()
        self.dealt: list[str] = []

    def saw(self, line: Line) -> None:
        """Who has joined, and which zones are land."""
        data = line.data
        match line.type.split(".")[2]:
            case "joined":
                self.players.add(data["player"])
            case "left":
                self.players.discard(data["player"])
            case "map_zones":
                self.land |= {zone for zone, entry in data["zones"].items() if entry["kind"] == "land"}

    def rolled(self, rolled: list[Line], label: str, seed: bytes | None) -> None:
        """The dice of one resolution, each scope by itself; no seed of this game is secret."""
        streams: dict[str, Iterator[int]] = {}
        for line in rolled:
            scope, name = line.data["scope"], line.type.split(".")[2]
            if scope is None:
                if line.data["draws"] or line.data.get("pick") is not None:
                    self.wrong(line, "what has no scope has no draws")
                continue
            wanted = f"combat:{line.data['zone']}" if name in ("casualty", "combat_roll") else "setup"
            if scope != wanted:
                self.wrong(line, f"these dice have the scope {wanted}")
            elif seed is not None:
                stream = streams[scope] if scope in streams else streams.setdefault(scope, words(seed, scope))
                self.compare(line, name, stream)

    def compare(self, line: Line, name: str, stream: Iterator[int]) -> None:
        """Draw what this event tells, behind what was drawn for those before it in its scope."""
        data = line.data
        if name == "combat_roll":
            r = draw(stream, 100)
            if data["r"] != r or data["draws"] != 1 or data["hit"] != (r < data["odds"]):
                self.wrong(line, f"the seed gives the roll {r}")
        elif name == "casualty":
            pick = draw(stream, data["of"]) if data["of"] > 1 else None
            if data["pick"] != pick or data["draws"] != (pick is not None):
                self.wrong(line, f"the seed picks {pick} of {data['of']}")
        elif name == "seats_given":
            seats = shuffled(sorted(self.players), stream)
            if data["seats"] != seats or data["draws"] != len(seats) - 1:
                self.wrong(line, f"the seed seats {', '.join(seats)}")
        else:
            if data["part"] == 1:
                self.dealt = shuffled(sorted(self.land), stream)
            part, self.dealt = self.dealt[: len(data["zones"])], self.dealt[len(data["zones"]) :]
            if data["zones"] != part or data["draws"] != len(self.land) - 1:
                self.wrong(line, f"the seed deals {', '.join(part)}")

    def revealed(self, line: Line, label: str, seed: bytes) -> None:
        """This game has no sealed resolution."""


class SpaceBattleDice:
    """Space Battle: who has the first move, drawn anew where the configuration has it drawn (SPB-12, SPB-108)."""

    EVENTS = frozenset({"battle_started"})

    def __init__(self, wrong: Wrong) -> None:
        self.wrong = wrong
        self.drawn = False

    def saw(self, line: Line) -> None:
        """The configuration says whether the first mover is drawn."""
        if line.type.split(".")[2] == "game_created":
            self.drawn = line.data["config"]["first_mover"] == "random"

    def rolled(self, rolled: list[Line], label: str, seed: bytes | None) -> None:
        """The start of the battle; its seed is never secret."""
        for line in rolled:
            first, draws, scope = "D", 0, None
            if self.drawn and seed is not None:
                first, draws, scope = "DC"[draw(words(seed, "battle"), 2)], 1, "battle"
            if (line.data["to_move"], line.data["draws"], line.data["scope"]) != (first, draws, scope):
                self.wrong(line, f"the seed gives side {first} the first move, with {draws} draws")

    def revealed(self, line: Line, label: str, seed: bytes) -> None:
        """The seed of a sealed resolution is known from here on."""


class MapWarDice:
    """Map War 3: riots, the spreading of Barbaria, decay and NPC nations drawn anew (MAP-90, MAP-111)."""

    EVENTS = frozenset({"barbaria_spread", "decayed", "npc_tested", "riot"})

    def __init__(self, wrong: Wrong) -> None:
        self.wrong = wrong

    def saw(self, line: Line) -> None:
        """An event of the game; each says itself what was drawn from."""

    def rolled(self, rolled: list[Line], label: str, seed: bytes | None) -> None:
        """The dice of one resolution; `seed` is None while it is secret."""
        streams: dict[str, Iterator[int]] = {}
        for line in rolled:
            data, scope = line.data, self.scope(line)
            if data["scope"] is None:
                if data["draws"]:
                    self.wrong(line, "what has no scope has no draws")
            elif data["scope"] != scope:
                self.wrong(line, f"these dice have the scope {scope}")
            elif seed is not None:
                self.compare(line, streams.setdefault(scope, words(seed, scope)))

    def scope(self, line: Line) -> str:
        """Where the rules draw what this event tells."""
        data = line.data
        match line.type.split(".")[2]:
            case "riot":
                return f"riot:{data['zone']}"
            case "barbaria_spread":
                return f"spread:{data['zone'] or 'barbaria'}"
            case "decayed":
                return f"decay:{data['nation']}"
        return f"npc:{data['nation']}"

    def compare(self, line: Line, stream: Iterator[int]) -> None:
        """Draw what this event tells, behind what was drawn for those before it in its scope."""
        data, draws = line.data, 0
        if "among" in data:
            r, draws = draw(stream, len(data["among"])), 1
            expected = {"r": r, "zone": data["among"][r]}
        else:
            r, happened = None, data["pct"] >= 100
            if 0 < data["pct"] < 100:
                r, draws = draw(stream, 100), 1
                happened = r < data["pct"]
            expected = {"r": r, "happened": happened}
            if "targets" in data:
                places = data["targets"]
                picked = draw(stream, len(places)) if happened and len(places) > 1 else 0
                draws += happened and len(places) > 1
                expected["target"] = places[picked] if happened else None
        expected["draws"] = draws
        if any(data[name] != value for name, value in expected.items()):
            self.wrong(line, f"the seed gives {expected}")

    def revealed(self, line: Line, label: str, seed: bytes) -> None:
        """The seed of a sealed resolution; this game has none."""


DICE: dict[str, type[Dice]] = {
    "gxc": GxcDice,
    "exgenhoca": ExgenhocaDice,
    "forces": ForcesDice,
    "space-battle": SpaceBattleDice,
    "map-war": MapWarDice,
}
"""By game."""


# The game


class Resolution:
    """What was gathered for the certificate to come."""

    def __init__(self) -> None:
        self.first = 0
        self.label: str | None = None
        self.leaves: list[str] = []
        self.part = 0
        self.parts = 0
        self.dice: list[Line] = []
        self.journal = NOTHING
        self.chronicle = NOTHING


class Verifier:
    """Walks through an export once; `problems` and `report` tell what it found."""

    def __init__(self, export: Export) -> None:
        self.export = export
        self.journal_form = export.form == "journal"
        self.problems = export.problems
        self.report: list[str] = []
        self.notes: list[str] = []
        self.kind = ""
        self.dice: Dice | None = None
        self.unrevealed: dict[str, tuple[str, list[Line]]] = {}
        self.data: dict[str, list[str]] = {}
        self.seq = 0
        self.judged: dict[str, tuple[int, str]] = {}
        self.waiting: dict[str, Line] = {}
        self.apart = False
        self.private: list[str] = []
        self.covers: dict[str, Line] = {}
        self.roots: dict[int, str] = {}
        self.leaves: dict[str, tuple[int, str]] = {}
        self.chain = -1
        self.salt = ""
        self.key_id = ""
        self.index = 0
        self.seed = b""
        self.sealed: dict[str, str] = {}
        self.used: dict[str, str] = {}
        self.moved = False
        self.k = 0
        self.public_n = 0
        self.previous = ""
        self.open = Resolution()

    def run(self) -> None:
        """Check every line. What cannot be read as what it says it is, is a problem of that line."""
        checks: dict[str, Callable[[Line], None]] = {
            "input.accepted": self.accepted,
            "input.rejected": self.rejected,
            "input.repeated": self.repeated,
            "data.part": self.data_part,
            "game.created": self.created,
            "resolution.leaves": self.leaves_part,
            "input.covered": self.covered,
            "resolution.certified": self.certified,
            "game.moved": self.moved_in,
            "chain.started": self.chain_started,
            "sealed.revealed": self.revealed,
        }
        for line in self.export.lines:
            if not self.open.first:
                self.open.first = line.n
            try:
                checks.get(line.name, self.other)(line)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                self.wrong(line, f"its data does not have the form of its type ({type(error).__name__}: {error})")
            self.moved = line.name == "game.moved"
            self.add(line)
        if self.open.first:
            self.notes.append(f"the events from {self.open.first} on follow the last certificate and are in none yet")
        if not self.export.over:
            self.notes.append("the game has not ended in this export")
        elif self.roots and not any(line.certificate for line in self.export.lines[self._end() :]):
            self.problems.append("the game has ended, and no certificate covers its end: it was cut off or rewritten")

    def _end(self) -> int:
        """Where the game ends: index of that line."""
        return next(index for index, line in enumerate(self.export.lines) if line.ends_the_game)

    def wrong(self, line: Line, said: str) -> None:
        self.problems.append(f"line {line.number}: {line}: {said}")

    def add(self, line: Line) -> None:
        """Take the line into the running hashes of the certificate to come."""
        public = self.chronicle_line(line)
        if line.certificate:
            self.previous = sha256(public or b"")
            self.open = Resolution()
            return
        if public is not None:
            self.open.chronicle = running(self.open.chronicle, public)
        if self.journal_form:
            self.open.journal = running(self.open.journal, line.bytes)

    def chronicle_line(self, line: Line) -> bytes | None:
        """The event as the chronicle has it, if it is public."""
        if not self.journal_form:
            if line.to != ["public"]:
                self.wrong(line, "an event of the chronicle is for the public and nobody else")
            return line.bytes
        if "public" not in line.to:
            return None
        self.public_n += 1
        data = line.data
        if line.certificate:
            data = {key: value for key, value in data.items() if key not in JOURNAL_ONLY}
        return canonical({"data": data, "n": self.public_n, "to": ["public"], "type": line.type})

    # Inputs

    def judgement(self, line: Line) -> tuple[str, str]:
        """Checks what every judgement holds; returns id and hash of the input."""
        given, seq = line.data["input"], line.data["seq"]
        if set(given) != INPUT_FIELDS:
            self.wrong(line, f"an input has exactly {', '.join(sorted(INPUT_FIELDS))}")
        hashed = sha256(canonical(given))
        if hashed != line.data["hash"]:
            self.wrong(line, f"the input, its salt or its hash was changed: it has the hash {hashed}")
        if given["game"] != self.export.game:
            self.wrong(line, f"the input is one of game {given['game']}")
        if seq != self.seq + 1:
            self.wrong(line, f"judgement {seq} follows judgement {self.seq}")
        self.seq = seq
        self.data.clear()
        if given["role"] == "clock":
            tells, word = (canonical(given["payload"]).decode(), "payload") if self.apart else (seq, "number")
            name = f"{self.export.game}|clock|{given['type']}:{line.data['at']}:{tells}"
            if given["id"] != sha256(name)[:32] or given["salt"] != "0" * 32:
                self.wrong(line, f"an input of the clock has its id from type, time and {word}, and a salt of zeros")
        return str(given["id"]), hashed

    def rejected(self, line: Line) -> None:
        id, hashed = self.judgement(line)
        self.judged[id] = (self.seq, hashed)

    def accepted(self, line: Line) -> None:
        id, hashed = self.judgement(line)
        self.judged[id] = (self.seq, hashed)
        given, leaf = line.data["input"], sha256(f"{id} {hashed}")
        if given["type"] == "create_game":
            self.apart = given["payload"].get("private_apart", False)
        if self.apart and given["type"] in PRIVATE.get(self.kind, ()):
            self.private.append(leaf)
        else:
            self.waiting[leaf] = line

    def repeated(self, line: Line) -> None:
        id, hashed = self.judgement(line)
        first, before = self.judged.get(id, (0, ""))
        if line.data["first"] != first or line.data["same"] != (before == hashed):
            self.wrong(line, f"the input {id} was judged first as number {first}, and the judgement says otherwise")

    # Creation, chains and sealed keys

    def data_part(self, line: Line) -> None:
        if self.chain != -1:
            self.wrong(line, "data belongs to a creation, and the game was created before")
        parts = self.data.setdefault(line.data["sha256"], [])
        parts.append(line.data["text"])
        if line.data["part"] != len(parts):
            self.wrong(line, f"part {line.data['part']} of {line.data['parts']} stands where part {len(parts)} belongs")
        if line.data["part"] == line.data["parts"] and sha256("".join(parts)) != line.data["sha256"]:
            self.wrong(line, "the parts of this data do not have its SHA-256")

    def created(self, line: Line) -> None:
        if self.chain != -1:
            self.wrong(line, "the game is created a second time: its chain was restarted")
        if line.data["id"] != self.export.game or line.data["chain"] != 0:
            self.wrong(line, f"expected game {self.export.game} with chain 0")
        self.kind = line.data["kind"]
        self.dice = DICE[self.kind](self.wrong) if self.kind in DICE else None
        self.sealed = dict(line.data["sealed"])
        self._start_chain(line)

    def moved_in(self, line: Line) -> None:
        if line.data["source"] != self.key_id:
            self.wrong(line, f"the game comes from the house with key id {self.key_id}, and another one is named")

    def chain_started(self, line: Line) -> None:
        data, reason = line.data, line.data["reason"]
        if data["chain"] != self.chain + 1:
            self.wrong(line, f"chain {data['chain']} follows chain {self.chain}: the chain was restarted")
        if reason == "renewed":
            if self.index != CHAIN_LENGTH:
                self.wrong(line, f"the chain was restarted after seed {self.index} of {CHAIN_LENGTH}, without a reason")
            if data["salt"] != self.salt or data["sealed"]:
                self.wrong(line, "a renewed chain keeps the salt, and with it the sealed commitments")
        else:
            if reason in ("import", "restore") and not self.moved:
                self.wrong(line, f"the chain was restarted with reason {reason}, and no game.moved stands before it")
            if set(data["sealed"]) != set(self.sealed):
                self.wrong(line, f"the sealed resolutions not used yet are {sorted(self.sealed)}")
            self.sealed = dict(data["sealed"])
            self.notes.append(
                f"chain {data['chain']} begins at event {line.n} (reason: {reason}; key id {data['key_id']}, before it "
                f"{self.key_id}); its seeds were committed only then, "
                f"{CHAIN_LENGTH - self.index} seeds of the chain before it are void"
            )
        self._start_chain(line)

    def _start_chain(self, line: Line) -> None:
        self.chain, self.salt, self.index = line.data["chain"], line.data["salt"], 0
        self.key_id = line.data["key_id"]
        self.seed = bytes.fromhex(line.data["seed0"])

    def revealed(self, line: Line) -> None:
        if set(line.data["keys"]) != set(self.used):
            self.wrong(line, f"the sealed resolutions of this game are {sorted(self.used)}")
        for label, key in line.data["keys"].items():
            if sha256(bytes.fromhex(key)) != self.used.get(label):
                self.wrong(line, f"the key of {label} is not the one that was committed")
            elif self.dice is not None and label in self.unrevealed:
                digest, rolled = self.unrevealed.pop(label)
                seed = self._seed_of(key, label, digest)
                self.dice.rolled(rolled, label, seed)
                self.dice.revealed(line, label, seed)

    # Resolutions

    def leaves_part(self, line: Line) -> None:
        data, now = line.data, self.open
        if data["k"] != self.k + 1:
            self.wrong(line, f"leaves of resolution {data['k']} stand where those of {self.k + 1} belong")
        if data["part"] != now.part + 1 or (now.parts and data["parts"] != now.parts):
            self.wrong(line, f"part {data['part']} of {data['parts']} follows part {now.part}")
        if now.label not in (None, data["label"]):
            self.wrong(line, f"leaves of {data['label']} follow leaves of {now.label}")
        now.part, now.parts, now.label = data["part"], data["parts"], data["label"]
        now.leaves += data["leaves"]
        for leaf in data["leaves"]:
            if leaf in self.leaves:
                self.wrong(line, f"the leaf {leaf} stands in resolution {self.leaves[leaf][0]} already")
            self.leaves[leaf] = (data["k"], data["label"])
            if self.journal_form and self.waiting.pop(leaf, None) is None:
                self.wrong(line, f"the leaf {leaf} belongs to no input accepted since the last resolution")

    def covered(self, line: Line) -> None:
        leaf = line.data["leaf"]
        if leaf in self.covers:
            self.wrong(line, "this private input is covered already")
        self.covers[leaf] = line

    def certified(self, line: Line) -> None:
        before = len(self.problems)
        data, now = line.data, self.open
        self._certificate_chain(line, data, now)
        source = self._seed(line, data)
        if data["digest"] != sha256("".join(f"{leaf}\n" for leaf in now.leaves)):
            self.wrong(line, "digest: it is not that of the leaves, or a leaf was changed")
        if now.leaves != sorted(now.leaves):
            self.wrong(line, "the leaves of this resolution are not sorted")
        if data["public"] != now.chronicle.hex():
            self.wrong(line, f"public: the public events from event {now.first} on are not those that were certified")
        if "private" in data:
            self.roots[data["k"]] = data["private"]
        if self.journal_form:
            self._journal_of(line, data, now)
            self._private_of(line, data)
        self._dice(data, now)
        verdict = "holds" if len(self.problems) == before else "DOES NOT HOLD"
        self.report.append(f"{data['label']}: certificate {data['k']}, {len(now.leaves)} inputs, {source}: {verdict}")

    def _certificate_chain(self, line: Line, data: dict[str, Any], now: Resolution) -> None:
        if self.chain == -1:
            self.wrong(line, "a certificate stands before the creation of the game")
        if data["k"] != self.k + 1:
            self.wrong(line, f"certificate {data['k']} follows certificate {self.k}")
        self.k = data["k"]
        if data["previous"] != self.previous:
            self.wrong(line, "previous: the certificate before this one was changed, or `previous` was")
        if now.part == 0 or now.part != now.parts:
            self.wrong(line, f"its leaves are not complete: {now.part} of {now.parts} parts")
        if data["label"] != now.label:
            self.wrong(line, f"label: its leaves are those of {now.label}")

    def _seed(self, line: Line, data: dict[str, Any]) -> str:
        """Check seed or sealed key; returns what the report says of it."""
        if data["seed"] is not None:
            self.index += 1
            seed = bytes.fromhex(data["seed"])
            if self.index > CHAIN_LENGTH:
                self.wrong(line, f"seed: the chain has {CHAIN_LENGTH} seeds, and this would be the next")
            if hashlib.sha256(seed).digest() != self.seed:
                self.wrong(line, f"seed: it does not lead to what was committed (seed {self.index - 1} of its chain)")
            self.seed = seed
            return f"seed {self.index} of chain {self.chain}"
        commitment = self.sealed.pop(data["label"], None)
        if commitment is None:
            self.wrong(line, "no sealed resolution of this label was committed, or it was used before")
        elif self.journal_form and sha256(bytes.fromhex(data["sealed_key"])) != commitment:
            self.wrong(line, "sealed_key: it is not the one that was committed")
        self.used[data["label"]] = commitment or ""
        return "sealed"

    def _journal_of(self, line: Line, data: dict[str, Any], now: Resolution) -> None:
        for waiting in self.waiting.values():
            kind = waiting.data["input"]["type"]
            if kind not in TALK:
                self.wrong(line, f"{waiting} ({kind}) was accepted and is not among the leaves")
        self.waiting.clear()
        if data["sealed"] != sha256(f"{data['nonce']}|{now.journal.hex()}|{data['state']}"):
            self.wrong(line, f"sealed: nonce, state or the events from event {now.first} on are not what was certified")

    def _private_of(self, line: Line, data: dict[str, Any]) -> None:
        """The private inputs accepted since the last resolution hang below the root, and nothing else does."""
        if self.apart != ("private" in data):
            self.wrong(line, "private: the creation says otherwise whether private inputs are certified apart")
        elif self.apart and data["private"] != private_root(self.private, data["nonce"]):
            self.wrong(line, "private: it is not the root over the private inputs accepted since the last resolution")
        if set(self.covers) != (set(self.private) if self.apart else set()):
            self.wrong(line, "the private inputs accepted since the last resolution are not those that are covered")
        for leaf, covered in self.covers.items():
            if covered.data["k"] != data["k"] or path_root(leaf, covered.data["path"]) != data["private"]:
                self.wrong(covered, "its path does not lead to the private root of its certificate")
        self.private.clear()
        self.covers.clear()

    # Draws that events record

    def other(self, line: Line) -> None:
        if self.dice is not None and line.type.startswith(f"warledger.{self.kind}."):
            self.dice.saw(line)
        if "scope" in line.data and "draws" in line.data:
            self.open.dice.append(line)
            pattern, scope = SCOPES.get(self.kind), line.data["scope"]
            if pattern is not None and scope is not None and not pattern.match(scope):
                self.wrong(line, f"{line.data['scope']!r} is no scope of {self.kind}")
            if type(line.data["draws"]) is not int or line.data["draws"] < 0:
                self.wrong(line, "draws must be a count")

    def _dice(self, data: dict[str, Any], now: Resolution) -> None:
        """Draw them anew where the key is known; a stranger knows that of a sealed resolution at the end."""
        if self.dice is None:
            return
        label = data["label"]
        key = data["seed"] or data.get("sealed_key")
        if data["seed"] is None:
            self.unrevealed[label] = (data["digest"], [] if key else now.dice)
        self.dice.rolled(now.dice, label, None if key is None else self._seed_of(key, label, data["digest"]))

    def _seed_of(self, key: str, label: str, digest: str) -> bytes:
        return resolution_seed(bytes.fromhex(key), self.export.game, label, digest)


def check_receipt(verifier: Verifier, path: Path, judgement: Path | None) -> None:
    """Say in which resolution the input of a receipt is; a problem if in none. `judgement` is for private ones."""
    receipt = json.loads(path.read_bytes())
    given = receipt.get("input", receipt)
    if set(given) != INPUT_FIELDS:
        raise NoExport(f"{path} holds no receipt: its input must have {', '.join(sorted(INPUT_FIELDS))}")
    hashed = sha256(canonical(given))
    if receipt.get("hash", hashed) != hashed:
        verifier.problems.append(f"receipt: the input {given['id']} does not have the hash that the receipt names")
    leaf = sha256(f"{given['id']} {hashed}")
    cover = None if judgement is None else json.loads(judgement.read_bytes()).get("cover")
    if judgement is not None and cover is None:
        raise NoExport(f"{judgement} names no certificate that covers the input: no resolution has followed it yet")
    if cover is not None:
        k, way = cover["k"], cover["path"]
        if len(way) == PATH_LENGTH and path_root(leaf, way) == verifier.roots.get(k):
            verifier.report.append(f"receipt: the private input {given['id']} is covered by certificate {k}")
        else:
            verifier.problems.append(
                f"receipt: the path of input {given['id']} does not lead to the private root of certificate {k}"
            )
    elif leaf in verifier.leaves:
        k, label = verifier.leaves[leaf]
        verifier.report.append(f"receipt: the input {given['id']} is in {label}, certificate {k}, as leaf {leaf}")
    else:
        verifier.problems.append(
            f"receipt: the leaf {leaf} of input {given['id']} is in no resolution "
            "(an input that was rejected, repeated, or talk has none; neither has one that waits for its resolution; "
            "a private one, like a policy, has a path: --cover)"
        )


def check_against(verifier: Verifier, other: Verifier) -> None:
    """Compare the certificates of two exports of one game, as far as both go."""
    if verifier.export.game != other.export.game:
        verifier.problems.append(f"the other export is one of game {other.export.game}")
        return
    mine, theirs = public_certificates(verifier.export), public_certificates(other.export)
    shared = min(len(mine), len(theirs))
    if len(mine) < len(theirs):
        verifier.problems.append(
            f"the other export has {len(theirs)} certificates, this one {len(mine)}: it is older, or was cut off"
        )
    for k in range(shared):
        if mine[k] != theirs[k]:
            verifier.problems.append(f"certificate {k + 1} differs between the two exports")
    verifier.report.append(f"compared {shared} certificates with the other export")


def public_certificates(export: Export) -> list[bytes]:
    kept = [line.data for line in export.lines if line.certificate]
    return [canonical({key: value for key, value in data.items() if key not in JOURNAL_ONLY}) for data in kept]


def main(arguments: list[str] | None = None) -> int:
    """Returns the exit status."""
    summary, _, rest = (__doc__ or "").partition("\n\n")
    parser = argparse.ArgumentParser(
        description=summary, epilog=rest, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("export", type=Path)
    parser.add_argument("--receipt", type=Path, help="JSON file of a receipt, as the server answered it")
    parser.add_argument("--cover", type=Path, help="JSON file of what became of a private input, as the server has it")
    parser.add_argument("--against", type=Path, help="another export of the same game")
    chosen = parser.parse_args(arguments)
    if chosen.cover is not None and chosen.receipt is None:
        parser.error("--cover proves the input of a receipt: give --receipt too")
    try:
        verifier = Verifier(Export(chosen.export))
        verifier.run()
        if chosen.receipt is not None:
            try:
                check_receipt(verifier, chosen.receipt, chosen.cover)
            except (KeyError, TypeError, AttributeError) as error:
                said = (
                    f"receipt or cover does not have the form of the server's answer ({type(error).__name__}: {error})"
                )
                raise NoExport(said) from None
        if chosen.against is not None:
            check_against(verifier, Verifier(Export(chosen.against)))
    except (NoExport, OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 2
    for said in verifier.report:
        print(said)
    for said in verifier.notes:
        print(f"note: {said}")
    for said in verifier.problems:
        print(f"WRONG {said}")
    events = len(verifier.export.lines)
    name = f"{verifier.export.form} of {verifier.export.game}: {events} events, {verifier.k} resolutions"
    print(f"{name}: {f'{len(verifier.problems)} things are wrong' if verifier.problems else 'all holds'}")
    return 1 if verifier.problems else 0


if __name__ == "__main__":
    sys.exit(main())
