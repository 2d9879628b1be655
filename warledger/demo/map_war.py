"""The demo of Map War 3: bots build, claim, conquer and trade on lands and seas, turn by turn, over HTTP."""

from collections import Counter
from collections.abc import Callable, Mapping
from colorsys import hls_to_rgb
from dataclasses import dataclass
from random import Random
from time import monotonic
from typing import Any

from shared.maps.land_war import seas_of
from shared.maps.model import Map
from shared.maps.nation_war import document_of
from warledger.api import Client, Refused

GAME = "war"
MOST_PLAYERS = 40
_SEED = 1
_STOCK: Mapping[str, int] = {"currency": 12_000, "resources": 4_000, "food": 6_000, "technology": 1_500}
_STRUCTURES = ("agriculture", "commerce", "industry", "city", "defense", "research")
_MOST_BUILDS, _MOST_CLAIMS = 2, 2
_SOLD = 500
"""Cents of a good that are sold at a time; who has as much again sells."""
View = Mapping[str, Any]


@dataclass(slots=True)
class Nations:
    """One game of bots. `say` prints progress; every request goes through the gateway."""

    operator: Client
    board: Map
    turns: int
    say: Callable[[str], None]

    def play(self, players: list[tuple[str, Client]]) -> None:
        """Create the game with these accounts, choose starts, and play so many turns; then all but one give up."""
        document = document_of(self.board, seas_of(self.board))
        zones = document["zones"]
        config = {"start_stock": _STOCK, "open_submissions": False}
        create = {"map": document, "players": [account for account, _ in players], "config": config}
        self.operator.judged(self.operator.post("/games", {"id": GAME, "game": "map-war", "create": create}))
        self.operator.judged(self.operator.command(GAME, "start_game"))
        land = [id_ for id_ in sorted(zones) if zones[id_]["kind"] == "land"]
        for number, (_, client) in enumerate(players):
            start = {"zone": land[number * len(land) // len(players)], "name": f"Nation {number + 1}"}
            client.judged(client.command(GAME, "choose_start", {**start, "color": _color(number)}))
        random = Random(_SEED)
        while (game := self._game())["phase"] != "ended" and game["turn"] <= self.turns:
            self._turn(game["turn"], players, random)
        if self._game()["phase"] != "ended":
            self._give_up(players)

    def _give_up(self, players: list[tuple[str, Client]]) -> None:
        """Whoever is behind abandons her nation: the last player left with a zone wins (MAP-95)."""
        started, number = monotonic(), self._game()["turn"]
        zones = self.operator.get(f"/games/{GAME}/map")
        held = Counter(zone["owner"] for zone in zones["zones"].values())
        ruling = [item for item in players if zones["nations"].get(item[0], {}).get("kind") == "player"]
        ruling = [item for item in ruling if zones["nations"][item[0]]["status"] == "active"]
        leader, leading = max(ruling, key=lambda item: (held[item[0]], item[0]))
        behind = [item for item in ruling if item[0] != leader]
        for _, client in behind:
            client.judged(client.command(GAME, "abandon"))
        leading.judged(leading.command(GAME, "submit_turn", {"turn": number}))
        self.say(self._line(number, monotonic() - started))
        gone = ", ".join(zones["nations"][account]["name"] for account, _ in behind)
        left = zones["nations"][leader]["name"]
        self.say(f"in turn {number} all but the leader abandoned their nations ({gone}):")
        self.say(f"{left} is the last with a player and has won (MAP-95)")

    def _turn(self, number: int, players: list[tuple[str, Client]], random: Random) -> None:
        """Everybody submits what advice finds no fault with; the last submission closes the turn."""
        started = monotonic()
        for account, client in players:
            view = {**client.get(f"/games/{GAME}/map"), **client.get(f"/games/{GAME}/orders")}
            nation = view["nations"].get(account)
            if view["phase"] != "orders" or view["turn"] != number or nation is None or nation["status"] != "active":
                continue
            self._trade(random, account, client, view)
            draft = orders_of(random, account, view)
            told = client.post(f"/games/{GAME}/advice", {"type": "submit_turn", "payload": draft}).body
            faulty = {fault["place"] for fault in told["faults"]}
            kept = {
                part: [item for place, item in enumerate(items) if f"{part}.{place}" not in faulty]
                for part, items in draft.items()
            }
            client.judged(client.command(GAME, "submit_turn", {"turn": number, **kept}))
        self.say(self._line(number, monotonic() - started))

    def _trade(self, random: Random, account: str, client: Client, view: View) -> None:
        """Accept what is offered and can be paid; look for one agreement, and sell what there is enough of."""
        deals, nations = view.get("deals", {}).values(), view["nations"]
        for deal in deals:
            if deal["status"] == "offered" and account in (deal.get("b"), deal.get("to")):
                self._accept(client, deal["id"])
        others = [id_ for id_, item in sorted(nations.items()) if item["kind"] == "player" and id_ != account]
        others = [id_ for id_ in others if nations[id_]["status"] == "active"]
        if not others:
            return
        other = random.choice(others)
        if not any(account in (deal.get("a"), deal.get("b")) and deal["status"] != "void" for deal in deals):
            good = random.choice(("food", "currency", "resources"))
            client.judged(client.command(GAME, "offer", {"kind": "agreement", "to": other, "good": good}))
        good = max(("food", "resources"), key=lambda name: nations[account][name])
        if nations[account][good] >= 2 * _SOLD:
            sale = {"kind": "sale", "to": other, "good": good, "amount": _SOLD, "until_turn": view["turn"] + 1}
            client.judged(client.command(GAME, "offer", sale))

    def _accept(self, client: Client, deal: int) -> None:
        """Or decline, where the goods or the money are not there."""
        try:
            client.judged(client.command(GAME, "accept", {"deal": deal}))
        except Refused:
            client.judged(client.command(GAME, "decline", {"deal": deal}))

    def _game(self) -> View:
        found: View = self.operator.get(f"/games/{GAME}")
        return found

    def _line(self, number: int, seconds: float) -> str:
        view = self.operator.get(f"/games/{GAME}/map")
        zones = view["zones"].values()
        held = Counter(zone["owner"] for zone in zones if zone["owner"] is not None)
        nations = view["nations"]
        standing = "  ".join(
            f"{nations[id_]['name']} {count}"
            for id_, count in sorted(held.items(), key=lambda item: (-item[1], item[0]))
        )
        pollution, pieces = sum(zone["pollution"] for zone in zones), len(view["pieces"])
        deals = self.operator.get(f"/games/{GAME}/orders").get("deals", {}).values()
        made = sum(deal["status"] in ("active", "done") for deal in deals)
        told = f"deals {made:2}, pollution {pollution:3}, pieces {pieces:2}"
        return f"turn {number:2}  {seconds:4.1f} s  {told}   {standing}"


def orders_of(random: Random, account: str, view: View) -> dict[str, list[Any]]:
    """A draft: what is near is claimed and conquered with the armies beside it, own zones are built up."""
    zones = view["zones"]
    own = [id_ for id_ in sorted(zones) if zones[id_]["owner"] == account]
    near = sorted({other for id_ in own for other in zones[id_]["neighbours"]})
    free = [id_ for id_ in near if zones[id_]["owner"] is None]
    foreign = [id_ for id_ in near if zones[id_]["owner"] not in (None, account)]
    armies = [piece for piece in view["pieces"].values() if piece["nation"] == account and piece["kind"] == "army"]
    conquests = []
    for target in random.sample(foreign, min(1, len(foreign))):
        beside = [piece["id"] for piece in armies if piece["zone"] in zones[target]["neighbours"]]
        support = beside[:4] if zones[target]["kind"] == "land" else []
        conquests.append({"zone": target, "support": support})
    built = random.sample(own, min(_MOST_BUILDS, len(own)))
    return {
        "claims": random.sample(free, min(_MOST_CLAIMS, len(free))),
        "conquests": conquests,
        "builds": [{"zone": id_, "structure": structure} for id_ in built for structure in _STRUCTURES],
    }


def _color(number: int) -> str:
    """A colour of its own for each nation: hues a golden section apart, by turns light, middle and dark."""
    shades = hls_to_rgb(number * 0.618034 % 1, (0.78, 0.6, 0.42)[number % 3], 0.6)
    return "#" + "".join(f"{int(shade * 255):02X}" for shade in shades)


def ranking_of(game: View) -> str:
    """The end of a game in a line, or how it stands."""
    nations = game["nations"]
    ranks = (f"{rank}. {nations[nation]['name']}" for rank, nation in enumerate(game["ranking"], 1))
    return f"{', '.join(ranks)}; ended in turn {game['turn']}" if game["ranking"] else "the game goes on"
