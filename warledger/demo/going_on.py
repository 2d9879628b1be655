"""After the demo of GXC: a second war that waits for people, and the commands by which they play it."""

from pathlib import Path

from warledger.demo.installation import Installation
from warledger.maps import map_named

GO_ON = """
To go on by hand, start the same installation and join the war that waits in it, `next`:

  .venv/bin/warledger --data FOLDER up &
  URL=http://127.0.0.1:8080
  post() { curl -sS "$URL$1" -H 'Content-Type: application/json' -H "Authorization: Bearer ${3:-}" -d "$2"; echo; }
  post /accounts '{"name": "ana", "password": "a long password"}'
  TOKEN=$(post /tokens '{"name": "ana", "password": "a long password"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  post /games/next/commands '{"type": "join", "payload": {"team": "ash"}}' "$TOKEN"
  post /games/next/commands '{"type": "place", "payload": {"territory": "FIRST"}}' "$TOKEN"
  post /games/next/commands '{"type": "energize", "payload": {}}' "$TOKEN"
  post /games/next/commands '{"type": "set_order", "payload": {"defend": 5}}' "$TOKEN"
  .venv/bin/warledger --data FOLDER game close next
  curl -sS $URL/games/next/orders -H "Authorization: Bearer $TOKEN"; echo

The page of the finished war is http://127.0.0.1:8080/games/war in a browser."""


def prepare_next(house: Installation) -> None:
    """A second war that waits for people, for the curl session above."""
    board = map_named("small-eight")
    territories = sorted(board.territories)
    half = len(territories) // 2
    teams = {
        "ash": {"name": "Ash", "territories": territories[:half]},
        "birch": {"name": "Birch", "territories": territories[half:]},
    }
    creation = {"map": board.document(), "teams": teams, "config": {"recruitment_turns": 0}}
    operator = house.operator
    operator.judged(operator.post("/games", {"id": "next", "game": "gxc", "create": creation}))
    operator.judged(operator.command("next", "start_game"))


def how_to_go_on(folder: Path) -> str:
    """The commands, for the installation in this folder."""
    return GO_ON.replace("FOLDER", str(folder)).replace("FIRST", sorted(map_named("small-eight").territories)[0])
