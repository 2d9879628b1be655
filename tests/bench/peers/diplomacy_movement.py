"""Orders per second of the diplomacy engine: process() of movement phases alone, seven powers, random legal orders.

Runs in the peer's environment: `python diplomacy_movement.py SEED PHASES`; prints one number.
"""

import random
import sys
import time

from diplomacy import Game


def main(seed: int, phases: int) -> float:
    """Play until so many movement phases were processed; other phases are processed without being timed."""
    chance = random.Random(seed)
    orders = spent = 0.0
    game = Game()
    while phases:
        if game.is_game_done:
            game = Game()
        legal = game.get_all_possible_orders()
        given = 0
        for power in game.powers:
            chosen = [chance.choice(legal[place]) for place in game.get_orderable_locations(power) if legal[place]]
            game.set_orders(power, chosen)
            given += len(chosen)
        movement = game.phase_type == "M"
        started = time.process_time()
        game.process()
        if movement:
            spent += time.process_time() - started
            orders += given
            phases -= 1
    return orders / spent


if __name__ == "__main__":
    print(main(int(sys.argv[1]), int(sys.argv[2])))
