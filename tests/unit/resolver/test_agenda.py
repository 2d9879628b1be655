"""The agenda against a plain table of deadlines."""

from hypothesis import given
from hypothesis import strategies as st

from services.resolver.agenda import DEADLINE, Agenda, Appointment, Due

KINDS = (DEADLINE, "reminder")
CHANGES = st.lists(st.tuples(st.sampled_from("abcd"), st.one_of(st.none(), st.integers(0, 9))), max_size=400)


@given(CHANGES)
def test_the_next_appointment_is_always_the_earliest_and_then_the_first_by_id(
    changes: list[tuple[str, int | None]],
) -> None:
    agenda = Agenda()
    table: dict[str, int] = {}
    for game, due in changes:
        agenda.judged(game, due, at=0)
        table.pop(game, None)
        if due is not None:
            table[game] = due

        assert agenda.next() == min((Due(at, name) for name, at in table.items()), default=None)
        assert len(agenda) == len(table)


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(KINDS), st.one_of(st.none(), st.integers(0, 9)))))
def test_appointments_of_several_kinds_do_not_touch_each_other(changes: list[tuple[str, str, int | None]]) -> None:
    agenda = Agenda()
    table: dict[tuple[str, str], int] = {}
    for game, kind, at in changes:
        if at is None:
            agenda.drop(game, kind)
            table.pop((game, kind), None)
        else:
            agenda.put(game, Appointment(at, since=0), kind)
            table[game, kind] = at

        assert agenda.next() == min((Due(at, *key) for key, at in table.items()), default=None)
        assert agenda.of(game, kind) == (None if at is None else Appointment(at, since=0))
        deadlines = [at for (_, kind), at in table.items() if kind == DEADLINE]
        assert agenda.earliest_need(0) == min(deadlines, default=None)


def test_a_deadline_is_known_since_the_judgement_that_set_it() -> None:
    agenda = Agenda()
    agenda.judged("g", 100, at=10)
    agenda.judged("g", 100, at=20)
    assert agenda.of("g") == Appointment(100, since=10)

    agenda.judged("g", 200, at=30)
    assert agenda.of("g") == Appointment(200, since=30)


def test_a_credit_counts_from_its_stamp_even_if_the_rules_refused_it() -> None:
    agenda = Agenda()
    agenda.judged("g", 100, at=10)

    agenda.judged("g", 100, at=100, credit=True)

    assert agenda.of("g") == Appointment(100, since=100, credited=True)


def test_a_game_whose_deadline_moves_with_every_command_does_not_fill_the_memory() -> None:
    agenda = Agenda()
    for moment in range(10_000):
        agenda.judged("g", 1_000_000 + moment, at=moment)

    assert len(agenda._heap) < 100


def test_silence_matters_from_the_start_of_the_earliest_window() -> None:
    agenda = Agenda()
    assert agenda.earliest_need(50) is None
    agenda.judged("a", 100, at=80)
    agenda.judged("b", 200, at=10)

    assert agenda.earliest_need(50) == 80
