"""What goes with a zone that changes its owner, and with a nation that loses its ruler or its last zone."""

from shared.rules.interface import PUBLIC
from shared.rules.map_war.deal_terms import zones_given
from shared.rules.map_war.events import to_players
from shared.rules.map_war.play import Play
from shared.rules.map_war.state import AGREEMENT, OFFERED, Deal


def lose_constructions(play: Play, zone: int, reason: str = "owner_changed") -> None:
    """MAP-33: whatever is being built in a zone is lost."""
    for structure in sorted(play.state.building.get(zone, {})):
        play.emit("construction_lost", {"zone": play.state.board.ids[zone], "structure": structure, "reason": reason})


def fall(play: Play, zone: int) -> None:
    """MAP-66: a zone goes to Barbaria; constructions, deals on it and armies there are lost."""
    state, id_ = play.state, play.state.board.ids[zone]
    play.emit(
        "zone_fell",
        {"zone": id_, "from": state.owner[zone], "riot_count": state.riot_count[zone] + 1, "turn": state.turn},
    )
    lose_constructions(play, zone)
    for army in state.armies_in(zone):
        play.emit("piece_lost", {"piece": army.id, "reason": "barbaria"})
    for deal in state.live():
        if id_ in zones_given(deal):
            void(play, deal, "zone_lost")


def part_with_deals(play: Play, nation: str, reason: str) -> None:
    """MAP-110, MAP-113: agreements of a nation end at once, its offers and deals are void."""
    for deal in play.state.live():
        if nation in (deal.giver, deal.taker):
            if deal.kind == AGREEMENT and deal.status != OFFERED:
                end_agreement(play, deal, reason)
            else:
                void(play, deal, reason)


def become_rulerless(play: Play, nation: str, reason: str) -> None:
    """MAP-68, MAP-71, MAP-72: ownerless from the next turn on."""
    play.emit("nation_rulerless", {"nation": nation, "ownerless_since": play.state.turn + 1, "reason": reason})
    part_with_deals(play, nation, "rulerless")


def void(play: Play, deal: Deal, reason: str) -> None:
    """An offer or deal that comes to nothing; both sides are told."""
    play.emit("deal_void", {"deal": deal.id, "reason": reason}, to_players(deal.giver, deal.taker))


def end_agreement(play: Play, deal: Deal, reason: str) -> None:
    """Public if it was in force (MAP-97)."""
    to = to_players(deal.giver, deal.taker) if deal.begun_turn is None else PUBLIC
    play.emit("agreement_ended", {"deal": deal.id, "reason": reason}, to)
