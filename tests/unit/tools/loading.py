"""tools/verify_turn.py as a module: it is a script that stands alone, no package."""

import importlib.util
from pathlib import Path
from types import ModuleType

PATH = Path(__file__).parents[3] / "tools" / "verify_turn.py"


def load() -> ModuleType:
    """The script, loaded from its file."""
    spec = importlib.util.spec_from_file_location("verify_turn", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
