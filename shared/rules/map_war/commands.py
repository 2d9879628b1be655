"""The command table (MAP, section 14): who may send what, in which form. Deals go over `trades`, everything else over
`orders`."""

from collections.abc import Mapping

from shared.rules.deadlines import time_commands
from shared.rules.interface import Command, Role, Topic
from shared.rules.map_war.event_shapes import BUNDLE, DEAL_KIND, ID, ITEMS, NUMBER, TURN
from shared.rules.shapes import Integer, Object, Shape, Text

_PLAYER: frozenset[Role] = frozenset({"player"})
_OPERATOR: frozenset[Role] = frozenset({"operator"})
_HOST: frozenset[Role] = frozenset({"operator", "clock"})
LONGEST_NAME = 64
"""Code points of a nation's name."""


def _command(
    type_: str,
    roles: frozenset[Role],
    fields: Mapping[str, Shape],
    summary: str,
    optional: tuple[str, ...] = (),
    topic: Topic = "orders",
) -> Command:
    """A command; every one may name the turn that it means (ENG-3)."""
    free = {"turn", *optional} if "turn" not in fields else set(optional)
    return Command(type_, roles, topic, Object({"turn": TURN, **fields}, frozenset(free)), summary)


def _about_a_deal(type_: str, summary: str) -> Command:
    return _command(type_, _PLAYER, {"deal": NUMBER}, summary, topic="trades")


COMMANDS: Mapping[str, Command] = {
    command.type: command
    for command in (
        _command("start_game", _OPERATOR, {}, "Open turn 1, in which players choose where they start."),
        _command("join", _PLAYER, {}, "Take part."),
        _command(
            "choose_start",
            _PLAYER,
            {"zone": ID, "name": Text(LONGEST_NAME), "color": Text()},
            "Choose start zone, name and colour of the own nation; a later choice replaces it.",
        ),
        _command(
            "submit_turn",
            _PLAYER,
            ITEMS,
            "Give all orders of the turn; a later submission replaces it.",
            (*ITEMS,),
        ),
        _command(
            "offer",
            _PLAYER,
            {
                "kind": DEAL_KIND,
                "to": ID,
                "good": Text(LONGEST_NAME),
                "give": BUNDLE,
                "get": BUNDLE,
                "amount": Integer(),
                "zone": ID,
                "until_turn": TURN,
            },
            "Offer an agreement, an exchange or a sale to another player nation.",
            ("good", "give", "get", "amount", "zone", "until_turn"),
            "trades",
        ),
        _about_a_deal("accept", "Accept an offer."),
        _about_a_deal("decline", "Decline an offer, or withdraw an own one."),
        _about_a_deal("end_agreement", "End an agreement with effect from the next turn."),
        _command("abandon", _PLAYER, {}, "Quit: the nation is rulerless from now on."),
        _command("rejoin", _PLAYER, {}, "Take the own rulerless nation back before it decays."),
        _command("close_turn", _HOST, {"turn": TURN}, "Close the turn."),
        _command("close_fix", _HOST, {"turn": TURN}, "Close the correction window; faulty items are dropped."),
        *time_commands("turn"),
    )
}
"""Every command but the creation of the game (creation.py), by type."""

ITEM_CODES: Mapping[str, str] = {
    "already_building": "the structure is being built there, or the submission has built it before",
    "already_moved": "the piece has another order in this submission",
    "bad_support": "a piece that is named cannot support this conquest, or there are too many",
    "city_too_small": "research needs a city of level 4 in its zone",
    "insufficient_currency": "the currency that is left does not cover the cost",
    "insufficient_resources": "the resources that are left do not cover the cost",
    "max_level": "the structure stands at its highest level there",
    "not_adjacent": "the zone of the order is no neighbour of the piece's zone",
    "not_allowed_here": "the structure may not stand in this zone",
    "not_building": "the structure is not being built there",
    "not_foreign": "the zone is no zone of another nation",
    "not_own_zone": "the zone is not of the own nation",
    "not_your_piece": "the piece is not of the own nation",
    "protected": "a rulerless nation that does not decay yet cannot be attacked",
    "ship_full": "a ship carries two armies",
    "ship_moving": "the ship moves in this turn",
    "technology_missing": "the level needs more technology",
    "wrong_terrain": "armies go on land or aboard ships, ships at sea",
    "zone_full": "a zone holds four armies",
    "zone_taken": "the zone has an owner, was taken in this turn, or is claimed or attacked twice",
}
"""Codes of the items of a submission: stored with it, not refused (MAP-80)."""
FAILURES: Mapping[str, str] = {"zone_taken_first": "the zone was taken by an order that came first"}
"""Codes with which an order may fail when it is carried out, besides those of items (MAP-47, MAP-48)."""

ERRORS: Mapping[str, str] = {
    "already_joined": "the player takes part already",
    "bad_amount": "an amount is negative, nothing is offered, or the last turn of an offer lies behind",
    "bad_config": "a key of the configuration is unknown or its value is not allowed, or a nation of the creation is "
    "not allowed",
    "bad_deadline": "a resulting deadline lies before the time of the command, or a resulting time is outside of what "
    "can be stored",
    "bad_good": "an agreement is on food, currency or resources, a sale on food, resources or a zone",
    "bad_map": "the map is not symmetric, a zone has no neighbour, or a city is not allowed there",
    "color_reserved": "the colour is that of land, sea, borders or Barbaria",
    "color_taken": "another nation has the colour",
    "decaying": "the nation decays and cannot be taken back",
    "eliminated": "the nation is out of the game",
    "insufficient_currency": "a side of the deal has too little currency",
    "insufficient_goods": "a side of the deal has too little food or resources",
    "joining_closed": "the game has begun or is full, and takes nobody in",
    "no_offer": "there is no such deal for this nation, or it is no longer open",
    "not_a_trader": "deals are made between two player nations",
    "not_own_zone": "a zone of the deal does not belong to the side that gives it",
    "not_rulerless": "the nation has its ruler",
    "too_early": "the clock closes nothing before its deadline",
    "wrong_turn": "the command names another turn than the open one",
    "zone_taken": "the zone has an owner",
}
"""Codes of `decide` and `initial` besides those of ENG-5 (MAP-92)."""
