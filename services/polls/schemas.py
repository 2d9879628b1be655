"""What the polls service accepts: the shared envelope, and the commands of its topic."""

from collections.abc import Mapping

from services.polls.app import TOPIC
from shared.commands import Ruleset, commands_of
from shared.intake.schemas import SubmissionSchema
from shared.rules.interface import Command

__all__ = ["SubmissionSchema", "command_table"]


def command_table() -> Mapping[str, Mapping[Ruleset, Command]]:
    """Command type -> whose it is -> command."""
    return commands_of(TOPIC)
