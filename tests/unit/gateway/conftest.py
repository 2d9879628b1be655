"""One running installation for the tests that only read and play in it."""

from collections.abc import Iterator

import pytest

from tests.unit.gateway.house import House, Player


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """Everything running, until this folder is through: tests of others exchange the games, beneath its threads too."""
    made = House(tmp_path_factory.mktemp("house"))
    made.run()
    yield made
    made.close()


@pytest.fixture(scope="package")
def operator(house: House) -> Player:
    """A game master."""
    return house.somebody("operator")


@pytest.fixture(scope="package")
def played(house: House, operator: Player) -> str:
    """A war of two players whose first turn was fought; nobody changes it any more."""
    game = house.war(operator)
    red, blue = house.recruit(game, "red", "dunmere"), house.recruit(game, "blue", "elmgate")
    red.command(game, "set_order", {"attack": {"target": "elmgate", "energy": 10}})
    blue.command(game, "set_order", {"defend": 1})
    closed = operator.command(game, "close_turn", {"turn": 1})
    assert closed.status_code == 201, closed.get_data(as_text=True)
    return game
