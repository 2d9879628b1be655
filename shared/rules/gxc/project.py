"""What each event writes into views (interface.Rules.project), from its data alone.

| kind | id | audience | fields |
| --- | --- | --- | --- |
| game | game | public | phase, turn, times, winner, ranking, config, `closed_turn`; of teams empire, conquests, end |
| territory | territory | public | name, neighbours, centroid, special, owner at the beginning |
| strength | `board` | public, or the team | by territory: a turn, and players and energy at its opening |
| strength | `board` | public | by territory: owner since the beginning |
| team | team | public | name, status but that it is eliminated, offices, shield if it is public |
| team | team | team | suspended bonuses, battle plan, shield votes, shield if it is secret |
| team | team | operators | seq of the battle plan |
| player | player | public | team; status once she is expelled, that she is out is told of her team |
| player | player | team | status, location where she entered; stays when she is out |
| energy | shelf | team | by player: position of her last energize, energy after it, turn, streak |
| energy | closes | team | by player: position of the close that last changed her energy, energy after it |
| location | places | public | by player: where a processed turn has left her |
| all:standing | standing | public, team | both of these while the game is small: one document for all audiences |
| order | player | team | the order of `turn` |
| order | player | operators | its seq |
| sighting | player | sight | attack part or defence of `turn` as High or Low Ground sees it |
| sight | player | player | the sight that she has herself |
| nomination, poll | | team | records, polls with counts |
| vote | poll | player | the voter's choice |
| mail, chat | message | who may read it | author, hash, channel |
| turn | turn | public | close and eliminations of a turn, opening of the next and its empires |
| assignment | player | operators | team |
| member | player | operators | audiences |
"""

from collections.abc import Iterable, Mapping

from shared.rules.gxc.project_game import GAME
from shared.rules.gxc.project_offices import OFFICES
from shared.rules.gxc.project_players import PLAYERS
from shared.rules.interface import Event, Write
from shared.rules.projecting import Projection, nothing


def project(event: Event) -> Iterable[Write]:
    """The writes of one event. Raises KeyError for a type that GXC does not have."""
    return PROJECTIONS[event.type](event)


PROJECTIONS: Mapping[str, Projection] = {
    **PLAYERS,
    **OFFICES,
    **GAME,
    **dict.fromkeys(("orders_revealed", "order_voided", "battle", "assaults_ordered"), nothing),
}
"""Event type -> projection, for every type of GXC."""
