"""Each law fails for rules that break it: GXC with one fault built in."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

import pytest

from shared.rules import rules_of
from shared.rules.interface import (
    Decision,
    Dice,
    Document,
    Event,
    Input,
    Refusal,
    Registration,
    Rules,
    Viewer,
    Write,
)
from tests.rules.conformance import test_dice as dice
from tests.rules.conformance import test_laws as laws
from tests.rules.conformance import test_secrecy as secrecy
from tests.rules.conformance import test_sizes as sizes
from tests.rules.conformance.play import SEEDS
from tests.rules.conformance.test_laws import Proxy


class TouchesTheState(Proxy):
    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        state.teams[0].conquests_total += 1
        return self.rules.decide(state, command, dice)


class CountsItsCalls(Proxy):
    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        decision = self.rules.decide(state, command, dice)
        self.calls += 1
        if isinstance(decision, Refusal):
            return Refusal(decision.code, decision.rule, f"{decision.detail} ({self.calls})")
        return decision


class ForgetsWhenWritten(Proxy):
    def decode(self, canonical: Mapping[str, Any]) -> Any:
        state = self.rules.decode(canonical)
        for team in state.teams:
            team.empire = 0
        return state


class EvolvesFromMemory(Proxy):
    def evolve(self, state: Any, event: Event) -> Any:
        self.calls += 1
        state = self.rules.evolve(state, event)
        state.teams[0].conquests_total += self.calls
        return state


class TellsFloats(Proxy):
    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        decision = self.rules.decide(state, command, dice)
        if isinstance(decision, Refusal):
            return decision
        return [event._replace(data={**event.data, "ratio": 1.0}) for event in decision]


class ListensToEverybody(Proxy):
    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        row = self.rules.commands.get(command.type)
        if row is None or command.role in row.roles or "operator" not in row.roles:
            return self.rules.decide(state, command, dice)
        other = Input(
            command.id, command.game, "operator", "operator", command.type, command.payload, "", command.at, 1
        )
        return self.rules.decide(state, other, dice)


class TakesUnknownFields(Proxy):
    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        payload = {key: value for key, value in command.payload.items() if key != "bogus"}
        told = Input(
            command.id, command.game, command.actor, command.role, command.type, payload, "", command.at, command.seq
        )
        return self.rules.decide(state, told, dice)


class StoresItAHundredTimes(Proxy):
    """An event that grows much faster than the words that it is about."""

    def decide(self, state: Any, command: Input, dice: Dice) -> Decision:
        decision = self.rules.decide(state, command, dice)
        if isinstance(decision, Refusal):
            return decision
        return [event._replace(data={**event.data, "told": [command.payload] * 100}) for event in decision]


class UndeclaredEvents(Proxy):
    @property
    def events(self) -> Mapping[str, Any]:
        return {name: item for name, item in self.rules.events.items() if name != "turn_opened"}


class UnlistedCodes(Proxy):
    @property
    def errors(self) -> Mapping[str, str]:
        return {}


class WaitsForStrangers(Proxy):
    def waiting(self, state: Any) -> list[str]:
        return ["nobody-has-seen-her"]


class ShowsWholeDocuments(Proxy):
    def view(self, documents: Iterable[Document], viewer: Viewer) -> dict[str, Any]:
        return {f"{item.kind}.{item.id}": dict(item.fields) for item in documents}


class ProjectsTeamEventsForAll(Proxy):
    def project(self, event: Event) -> Iterable[Write]:
        public = [write._replace(audience="public") for write in self.rules.project(event) if write.audience]
        return [*self.rules.project(event), *public]


Law = Callable[..., None]


def sizes_law(game: Registration[Any], seed: int) -> None:
    """The law of sizes plays seeds of its own."""
    sizes.test_events_stay_below_the_size_of_one_whatever_somebody_sends(game)


BROKEN: tuple[tuple[type[Proxy], Law], ...] = (
    (TouchesTheState, laws.test_a_decision_changes_nothing_and_a_refusal_leaves_no_trace),
    (CountsItsCalls, laws.test_a_refused_input_is_refused_again_with_the_same_words),
    (CountsItsCalls, laws.test_the_same_inputs_give_the_same_bytes),
    (ForgetsWhenWritten, laws.test_the_codec_gives_back_what_it_took),
    (ForgetsWhenWritten, laws.test_a_game_read_from_a_snapshot_goes_on_as_before),
    (EvolvesFromMemory, laws.test_the_state_is_the_fold_of_the_events),
    (TellsFloats, laws.test_events_states_and_views_hold_integers_and_no_floats),
    (TellsFloats, laws.test_every_event_is_declared_and_has_its_form),
    (StoresItAHundredTimes, sizes_law),
    (UndeclaredEvents, laws.test_every_event_is_declared_and_has_its_form),
    (UnlistedCodes, laws.test_a_refusal_has_a_listed_code_a_rule_and_says_what_is_legal),
    (ListensToEverybody, laws.test_a_command_is_for_its_roles_and_for_those_in_the_game),
    (TakesUnknownFields, laws.test_form_is_judged_before_everything_else),
    (WaitsForStrangers, laws.test_deadlines_waiting_and_end_agree),
    (ShowsWholeDocuments, secrecy.test_kinds_and_fields_that_a_view_does_not_know_stay_out_of_it),
    (ProjectsTeamEventsForAll, secrecy.test_an_event_is_written_for_nobody_who_may_not_see_it),
)


def registered(broken: type[Proxy]) -> Registration[Any]:
    """As others are listed: whoever loads it gets the same rules."""
    rules = cast(Rules[Any], broken(rules_of("gxc")))
    return Registration("gxc", "1", lambda: rules)


@pytest.mark.parametrize(("broken", "law"), BROKEN, ids=lambda item: item.__name__)
def test_a_fault_is_found(broken: type[Proxy], law: Law) -> None:
    with pytest.raises(AssertionError):
        _for_every_seed(law, registered(broken))


def _for_every_seed(law: Law, game: Registration[Any]) -> None:
    for seed in SEEDS:
        law(game, seed)


def test_a_secret_that_shows_is_found() -> None:
    with pytest.raises(AssertionError):
        secrecy.test_the_secrets_of_others_change_nothing_that_one_sees(registered(ProjectsTeamEventsForAll))


def test_a_scope_that_is_not_listed_is_found() -> None:
    with pytest.raises(AssertionError, match="does not match"):
        _for_every_seed(dice.test_a_game_draws_from_scopes_that_it_lists, registered(Proxy)._replace(scopes="order"))
