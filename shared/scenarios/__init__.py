"""Scenarios: small stories of one game, played on the pure rules (docs/scenarios.md).

    load(path)        -> Scenario, or ScenarioError with file, line and what was expected
    run(scenario)     -> Result
    run_file(path)    -> Result, or ScenarioError
    exit_code(results)-> 0 if all hold, 1 if one fails; a ScenarioError is exit 2

No log, no views on disk, no server. What a step prints is `describe(result)`; `--json` is `Result.to_json()`.
"""

from shared.scenarios.errors import MALFORMED, ScenarioError
from shared.scenarios.form import Scenario, Step, load, loads
from shared.scenarios.result import Failure, Result, describe, exit_code
from shared.scenarios.run import run, run_file

__all__ = [
    "MALFORMED",
    "Failure",
    "Result",
    "Scenario",
    "ScenarioError",
    "Step",
    "describe",
    "exit_code",
    "load",
    "loads",
    "run",
    "run_file",
]
