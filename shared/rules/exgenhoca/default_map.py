"""The board of the rules: the map of the game as sold in Brazil, as data (EXG-59, section 12 of the rules).

Rows are id, name in Portuguese, English label, x and y of the centroid on a sheet of 1,000 by 560, neighbours.
"""

from collections.abc import Mapping, Sequence

from shared.rules.interface import Json

_Row = tuple[str, str, str, int, int, str]

_CONTINENTS: Sequence[tuple[str, str, str, Sequence[_Row]]] = (
    (
        "north_america",
        "América do Norte",
        "North America",
        (
            ("alasca", "Alasca", "Alaska", 60, 15, "mackenzie vancouver vladivostok"),
            ("mackenzie", "Mackenzie", "Mackenzie", 150, 90, "alasca groenlandia ottawa vancouver"),
            ("groenlandia", "Groenlândia", "Greenland", 330, 55, "islandia labrador mackenzie"),
            ("vancouver", "Vancouver", "Vancouver", 120, 145, "alasca california mackenzie ottawa"),
            ("ottawa", "Ottawa", "Ottawa", 190, 150, "california labrador mackenzie nova_york vancouver"),
            ("labrador", "Labrador", "Labrador", 260, 140, "groenlandia nova_york ottawa"),
            ("california", "Califórnia", "California", 120, 205, "mexico nova_york ottawa vancouver"),
            ("nova_york", "Nova York", "New York", 205, 205, "california labrador mexico ottawa"),
            ("mexico", "México", "Mexico", 145, 265, "california nova_york venezuela"),
        ),
    ),
    (
        "south_america",
        "América do Sul",
        "South America",
        (
            ("venezuela", "Venezuela", "Venezuela", 215, 325, "brasil mexico peru"),
            ("peru", "Peru", "Peru", 215, 390, "argentina brasil venezuela"),
            ("brasil", "Brasil", "Brazil", 290, 375, "argelia argentina peru venezuela"),
            ("argentina", "Argentina", "Argentina", 245, 470, "brasil peru"),
        ),
    ),
    (
        "europe",
        "Europa",
        "Europe",
        (
            ("islandia", "Islândia", "Iceland", 410, 95, "groenlandia inglaterra"),
            ("inglaterra", "Inglaterra", "England", 430, 145, "alemanha franca islandia suecia"),
            ("suecia", "Suécia", "Sweden", 510, 95, "inglaterra moscou"),
            ("alemanha", "Alemanha", "Germany", 490, 165, "franca inglaterra polonia"),
            ("franca", "França", "France", 450, 205, "alemanha argelia egito inglaterra polonia"),
            ("polonia", "Polônia", "Poland", 540, 180, "alemanha egito franca moscou oriente_medio"),
            ("moscou", "Moscou", "Moscow", 590, 120, "aral omsk oriente_medio polonia suecia"),
        ),
    ),
    (
        "africa",
        "África",
        "Africa",
        (
            ("argelia", "Argélia", "Algeria", 450, 290, "brasil congo egito franca sudao"),
            ("egito", "Egito", "Egypt", 530, 270, "argelia franca oriente_medio polonia sudao"),
            ("sudao", "Sudão", "Sudan", 560, 335, "africa_do_sul argelia congo egito madagascar"),
            ("congo", "Congo", "Congo", 510, 385, "africa_do_sul argelia sudao"),
            ("africa_do_sul", "África do Sul", "South Africa", 530, 460, "congo madagascar sudao"),
            ("madagascar", "Madagascar", "Madagascar", 615, 440, "africa_do_sul sudao"),
        ),
    ),
    (
        "asia",
        "Ásia",
        "Asia",
        (
            ("oriente_medio", "Oriente Médio", "Middle East", 610, 240, "aral egito india moscou polonia"),
            ("aral", "Aral", "Aral", 670, 180, "china india moscou omsk oriente_medio"),
            ("omsk", "Omsk", "Omsk", 690, 120, "aral china dudinka mongolia moscou"),
            ("dudinka", "Dudinka", "Dudinka", 745, 75, "mongolia omsk siberia tchita"),
            ("siberia", "Sibéria", "Siberia", 815, 55, "dudinka tchita vladivostok"),
            ("tchita", "Tchita", "Chita", 820, 115, "china dudinka mongolia siberia vladivostok"),
            ("mongolia", "Mongólia", "Mongolia", 775, 150, "china dudinka omsk tchita"),
            ("vladivostok", "Vladivostok", "Vladivostok", 900, 15, "alasca china japao siberia tchita"),
            ("china", "China", "China", 790, 205, "aral india japao mongolia omsk tchita vietna vladivostok"),
            ("japao", "Japão", "Japan", 920, 175, "china vladivostok"),
            ("india", "Índia", "India", 725, 270, "aral china oriente_medio sumatra vietna"),
            ("vietna", "Vietnã", "Vietnam", 810, 275, "borneo china india"),
        ),
    ),
    (
        "oceania",
        "Oceania",
        "Oceania",
        (
            ("sumatra", "Sumatra", "Sumatra", 770, 360, "australia india"),
            ("borneo", "Bornéu", "Borneo", 845, 345, "australia nova_guine vietna"),
            ("nova_guine", "Nova Guiné", "New Guinea", 925, 365, "australia borneo"),
            ("australia", "Austrália", "Australia", 895, 455, "borneo nova_guine sumatra"),
        ),
    ),
)


def default_map() -> Mapping[str, Json]:
    """The board as a map of a creation: what `"map": null` stands for."""
    territories = {
        id_: {"name": name, "label": label, "centroid": {"x": x, "y": y}, "neighbours": neighbours.split()}
        for _, _, _, rows in _CONTINENTS
        for id_, name, label, x, y, neighbours in rows
    }
    continents = {
        id_: {"name": name, "label": label, "territories": [row[0] for row in rows]}
        for id_, name, label, rows in _CONTINENTS
    }
    return {"territories": territories, "continents": continents}
