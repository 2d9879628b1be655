"""The one error of scenario files."""

MALFORMED = 2
"""Exit status for a scenario file that cannot be read as one."""


class ScenarioError(ValueError):
    """A malformed scenario file. `file`, `line` (from 1) and `expected`, one clause that says what would be right."""

    def __init__(self, file: str, line: int, expected: str) -> None:
        super().__init__(f"{file}:{line}: {expected}")
        self.file = file
        self.line = line
        self.expected = expected
