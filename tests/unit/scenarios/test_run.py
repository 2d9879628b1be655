"""Playing scenarios: what holds, what fails, and what the result says."""

import hashlib
import hmac
import json
from typing import Any

import pytest

from shared.canonical import canonical
from shared.dice import Stream, chain_seed, digest_of, leaf, resolution_seed
from shared.scenarios import Result, ScenarioError, describe, exit_code, loads, run
from tests.unit.scenarios.toy import find_toy


def play(*steps: dict[str, Any], **top: Any) -> Result:
    scenario = {"about": "TOY-1: a story", "game": "toy", "create": {"faces": 6}, "steps": list(steps), **top}
    return run(loads(json.dumps(scenario, indent=1), "story.json", find_toy))


JOIN = {"as": "ana", "type": "join"}
KEEP = {"as": "ana", "type": "keep", "payload": {"number": 7}}
THROW = {"as": "operator", "type": "throw"}


def the_failure(result: Result) -> str:
    (failure,) = result.failures
    return failure.sentence()


def test_a_story_that_holds() -> None:
    result = play(
        JOIN,
        {**KEEP, "then": {"players.ana.number": 7, "players.#": 1, "winner": None, "players.bia": None}},
        {"until": 250, "draws": ["d5", "d6"], "then": {"thrown": [5, 6], "round": {"not": 2}, "next": {"any": True}}},
    )
    assert result.passed
    assert result.state == {
        "round": 3,
        "next": 300,
        "thrown": [5, 6],
        "players": {"ana": {"number": 7}},
        "winner": None,
    }
    assert result.hash == hashlib.sha256(canonical(result.state)).hexdigest()
    assert describe(result) == "ok    story.json  TOY-1: a story"
    assert exit_code([result]) == 0


def test_a_demand_on_the_state_that_does_not_hold_names_step_expected_and_actual() -> None:
    result = play(JOIN, {**KEEP, "then": {"players.ana.number": 8, "players.bia.number": 1, "round": 1}}, THROW)
    assert [failure.sentence() for failure in result.failures] == [
        "then players.ana.number: expected 8, was 7",
        "then players.bia.number: expected 1, was nothing",
    ]
    assert [failure.step for failure in result.failures] == [2, 2]
    assert "step 2 (line" in describe(result)
    assert exit_code([play(JOIN), result]) == 1


def test_play_stops_at_the_first_step_that_fails() -> None:
    result = play({**JOIN, "then": {"round": 2}}, THROW)
    assert result.state is not None
    assert result.state["thrown"] == []


@pytest.mark.parametrize(
    ("value", "sentence"), [(True, "expected true, was 1"), ({"not": 1}, 'expected {"not":1}, was 1')]
)
def test_true_is_not_one(value: Any, sentence: str) -> None:
    assert sentence in the_failure(play({**JOIN, "then": {"round": value}}))


def test_a_refusal_that_was_not_expected_shows_code_rule_and_what_is_legal() -> None:
    result = play(JOIN, {**KEEP, "payload": {"number": 10}})
    assert the_failure(result) == (
        'keep by ana: expected "accepted", was "too_big (TOY-2: a number up to 9 would have been legal)"'
    )


def test_an_expected_refusal_that_did_not_come() -> None:
    assert the_failure(play(JOIN, {**KEEP, "expect": "too_big"})) == 'keep by ana: expected "too_big", was "accepted"'


def test_a_deadline_that_equals_an_inputs_time_comes_after_it_and_one_before_comes_first() -> None:
    in_time = play({**JOIN, "at": 100, "draws": [], "then": {"round": 1}})
    late = play({**JOIN, "at": 101, "draws": ["d1"], "then": {"round": 2}})
    assert in_time.passed
    assert late.passed
    assert [judgement.input.at for _, judgement in late.judgements] == [0, 100, 101]


def test_a_deadline_that_equals_until_is_due() -> None:
    assert play({"until": 99, "draws": [], "then": {"round": 1}}, {"until": 100, "then": {"round": 2}}).passed


def test_overdue_deadlines_are_applied_one_after_the_other_at_their_own_times() -> None:
    result = play(
        {
            "until": 350,
            "draws": ["d1", "d2", "d3"],
            "emits": [{"type": "thrown", "at": 100}, {"type": "thrown", "at": 300}],
        }
    )
    assert result.passed
    assert [judgement.input.id for _, judgement in result.judgements] == ["s0", "c1", "c2", "c3"]


@pytest.mark.parametrize(
    ("draws", "sentence"),
    [
        (["d1", "d2"], 'draws: expected "every draw of the script used", was ["d2"]'),
        ([], "the script of 0 draws is used up; the rules want d6()"),
        ([5], 'draw 1 of the script is 5; the rules want a die, \\"d1\\" to \\"d6\\"'),
    ],
)
def test_a_script_that_does_not_fit_fails(draws: list[int | str], sentence: str) -> None:
    assert sentence in the_failure(play({**THROW, "draws": draws}))


def test_each_scope_counts_its_own_draws_of_the_script() -> None:
    demand = {"type": "peeked", "drawn": [12, 80], "draws": 1}
    assert play({"as": "operator", "type": "peek", "draws": [12, 80], "emits": [demand]}).passed


def hash_of(id: str, actor: str, role: str, type: str, payload: dict[str, Any]) -> str:
    said = {
        "actor": actor,
        "game": "scenario",
        "id": id,
        "payload": payload,
        "role": role,
        "salt": "0" * 32,
        "type": type,
    }
    return leaf(id, hashlib.sha256(canonical(said)).hexdigest())


def test_draws_come_from_the_chain_and_the_digest_of_the_inputs_since_the_last_resolution() -> None:
    """ENG-7: talk is left out, the triggering input is in, and seeds are used in their order."""
    talk = {"as": "ana", "type": "say"}
    result = play(JOIN, talk, THROW, KEEP, THROW, seed="11" * 32)
    created = hash_of("s0", "operator", "operator", "create_game", {"faces": 6})
    leaves = [created, hash_of("s1", "ana", "player", "join", {}), hash_of("s3", "operator", "operator", "throw", {})]
    top = bytes.fromhex("11" * 32)
    first = resolution_seed(chain_seed(top, 1), "scenario", "round:1", digest_of(leaves))
    leaves = [hash_of("s4", "ana", "player", "keep", {"number": 7}), hash_of("s5", "operator", "operator", "throw", {})]
    second = resolution_seed(chain_seed(top, 2), "scenario", "round:2", digest_of(leaves))
    assert result.state is not None
    assert result.state["thrown"] == [Stream(first, "die").d6(), Stream(second, "die").d6()]


def test_a_sealed_resolution_takes_its_key_from_the_seed_and_no_seed_of_the_chain() -> None:
    result = play({"as": "operator", "type": "peek"}, THROW)
    key = hashlib.sha256(("0" * 64 + "|sealed|peek").encode()).digest()
    digest = digest_of(
        [
            hash_of("s0", "operator", "operator", "create_game", {"faces": 6}),
            hash_of("s1", "operator", "operator", "peek", {}),
        ]
    )
    seed = hmac.digest(key, f"scenario|peek|{digest}|".encode(), "sha256")
    assert result.to_json()["events"][1]["data"]["drawn"] == [Stream(seed, "a").int(100), Stream(seed, "b").int(100)]
    digest = digest_of([hash_of("s2", "operator", "operator", "throw", {})])
    thrown = Stream(resolution_seed(chain_seed(bytes(32), 1), "scenario", "round:1", digest), "die").d6()
    assert result.state is not None
    assert result.state["thrown"] == [thrown]


def test_given_is_merged_map_by_map_before_the_step() -> None:
    result = play(
        JOIN, {**THROW, "draws": ["d1"], "given": {"players": {"bia": {"number": 3}}, "thrown": [6], "winner": "bia"}}
    )
    assert result.state is not None
    assert result.state["players"] == {"ana": {"number": 0}, "bia": {"number": 3}}
    assert (result.state["thrown"], result.state["winner"]) == ([6, 1], "bia")


def test_null_in_given_is_a_value() -> None:
    assert play({**JOIN, "given": {"next": None}}, {"until": 5000, "draws": [], "then": {"next": None}}).passed


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"round": "two"}, "round must be an integer"),
        ({"rounds": 2}, "which has no such value at rounds"),
    ],
)
def test_given_that_the_codec_refuses_or_drops_is_malformed(given: dict[str, Any], expected: str) -> None:
    with pytest.raises(ScenarioError, match=expected) as caught:
        play(JOIN, {**THROW, "given": given})
    assert caught.value.line > 10


def test_each_viewer_sees_her_own_view() -> None:
    views = {
        "ana": {"numbers.ana": 7, "numbers.bia": {"hidden": True}, "last": 4},
        "bia": {"numbers.ana": {"hidden": True}, "numbers.bia": 2},
        "public": {"numbers.#": 0, "last": 4},
        "operator": {"numbers.#": 2},
        "stranger": {"numbers.#": 0},
    }
    bia: list[dict[str, Any]] = [{"as": "bia", "type": "join"}, {"as": "bia", "type": "keep", "payload": {"number": 2}}]
    assert play(JOIN, KEEP, *bia, {**THROW, "draws": ["d4"], "sees": views}).passed


def test_a_secret_that_is_seen_fails() -> None:
    result = play(JOIN, {**KEEP, "sees": {"ana": {"numbers.ana": {"hidden": True}}}})
    assert the_failure(result) == 'ana sees numbers.ana: expected {"hidden":true}, was 7'


def test_emitted_events_must_come_in_order_with_others_between_them() -> None:
    wanted = [{"type": "thrown", "value": 1}, {"type": "thrown", "value": 3}, {"type": "input.accepted", "input": "c3"}]
    assert not play({"until": 300, "draws": ["d1", "d2", "d3"], "emits": wanted}).passed
    assert play({"until": 300, "draws": ["d1", "d2", "d3"], "emits": wanted[:2]}).passed
    assert not play({"until": 300, "draws": ["d3", "d2", "d1"], "emits": wanted[:2]}).passed


def test_a_refusal_is_an_event_too() -> None:
    rejected = {"type": "input.rejected", "input": "s2", "code": "too_big", "rule": "TOY-2", "detail": {"any": True}}
    assert play(JOIN, {**KEEP, "payload": {"number": 10}, "expect": "too_big", "emits": [rejected]}).passed


def test_a_creation_that_must_be_refused() -> None:
    scenario = {"about": "x", "game": "toy", "create": {}, "create_expect": "malformed"}
    assert run(loads(json.dumps(scenario), "story.json", find_toy)).passed
    scenario["create"] = {"faces": 6}
    failed = run(loads(json.dumps(scenario), "story.json", find_toy))
    assert the_failure(failed) == 'creation: expected "malformed", was "accepted"'


def test_a_creation_refused_against_expectation_fails_without_playing() -> None:
    result = play(JOIN, create={})
    assert the_failure(result) == 'creation: expected "accepted", was "malformed (TOY-1: create must hold faces)"'
    assert (result.state, result.hash) == (None, None)


def test_rules_that_raise_or_break_the_contract_fail_the_step() -> None:
    assert "KeyError: 'no such thing' (toy.py, line" in the_failure(play({"as": "operator", "type": "crash"}))
    assert "resolutions ['x'] were opened, but marked are []" in the_failure(play({"as": "operator", "type": "forget"}))
    stuck = play({"until": 100, "given": {"winner": "stuck"}, "draws": ["d1"]})
    assert "the deadline throw at 100 is due again after it was applied" in the_failure(stuck)


def test_the_json_of_a_result_holds_judgements_events_state_and_hash() -> None:
    told = play(JOIN, {**KEEP, "payload": {"number": 10}, "expect": "too_big"}, THROW).to_json()
    assert json.loads(json.dumps(told)) == told
    assert [item["judgement"] for item in told["judgements"]] == ["accepted", "accepted", "too_big", "accepted"]
    assert [item["seq"] for item in told["judgements"]] == [1, 2, 3, 4]
    assert [(item["step"], item["type"]) for item in told["events"]] == [
        (0, "game_created"),
        (1, "joined"),
        (3, "thrown"),
    ]
    assert told["passed"]
    assert told["hash"] == hashlib.sha256(canonical(told["state"])).hexdigest()


def test_the_same_scenario_gives_the_same_result() -> None:
    assert play(JOIN, THROW, THROW).to_json() == play(JOIN, THROW, THROW).to_json()
