"""The syntax check of the rules, shown by two lists of snippets, and applied to every module of the rules."""

import ast
from functools import cache
from pathlib import Path

import pytest

import shared.rules
from tests.rules.conformance.sets import SetNames, set_attributes
from tests.rules.conformance.syntax import faults

FORBIDDEN = (
    "import time",
    "import random",
    "import os",
    "import os.path",
    "import datetime",
    "from datetime import datetime",
    "import json",
    "import math",
    "import decimal",
    "import fractions",
    "import statistics",
    "import uuid",
    "import secrets",
    "import locale",
    "import unicodedata",
    "import sys",
    "import threading",
    "import logging",
    "import orjson",
    "from math import sqrt",
    "from math import floor",
    "from shared import canonical",
    "from shared.canonical import canonical",
    "from shared.clock import now",
    "import services.resolver",
    "from . import state",
    "from functools import lru_cache",
    "from functools import cache",
    "import functools\n@functools.lru_cache\ndef f(x): return x",
    "x = 0.5",
    "x = 1e3",
    "x = 1j",
    "def f(a, b): return a / b",
    "def f(a):\n    a /= 2",
    "def f(a): return 2 ** -a",
    "from operator import truediv",
    "def f(a): return float(a)",
    "def f(a): return round(a)",
    "def f(a): return hash(a)",
    "def f(a): return id(a)",
    "def f(a): return sorted(a, key=id)",
    "def f(a): return sorted(a, key=hash)",
    "def f(a): return open(a)",
    "def f(a): print(a)",
    "def f(a): return eval(a)",
    "def f(a): exec(a)",
    "def f(a): return compile(a, '', 'eval')",
    "def f(a): return __import__(a)",
    "def f(): return globals()",
    "def f():\n    if __debug__: return 1",
    "def f(a): return a.popitem()",
    "def f(a): return a.casefold()",
    "def f(a): return a.lower()",
    "def f(a): return a.__hash__()",
    "def f(a): return a is 1",
    "def f(a): return a is not 'red'",
    "def f(a): return a is ()",
    "def f(a): return -1 is a",
    "count = 0\ndef f():\n    global count\n    count += 1",
    "cache = {}",
    "seen = set()",
    "seen: set[str] = set()",
    "queue = []",
    "from collections import defaultdict\ncache = defaultdict(list)",
    "from typing import Final\nCACHE: Final[dict[str, int]] = {}",
    "class State:\n    seen = []",
    "def f(a=[]): return a",
    "def f(*, a={}): return a",
    "def f(a):\n    assert a",
    "def f(a):\n    try: return a()\n    except: return 0",
    "def f(a):\n    try: return a()\n    except Exception: return 0",
    "def f(a):\n    try: return a()\n    except (KeyError, RecursionError): return 0",
    "def f(a): return f'{a:.2f}'",
    "def f(a): return f'{a:n}'",
    "async def f(): return 1",
    # the order of sets
    "def f():\n    for x in {1, 2}: yield x",
    "def f(a):\n    for x in set(a): yield x",
    "def f(a):\n    for x in frozenset(a): yield x",
    "def f(a):\n    for x in {b for b in a}: yield x",
    "def f(a):\n    s = set(a)\n    for x in s: yield x",
    "def f(a):\n    s = set(a)\n    t = s\n    for x in t: yield x",
    "def f(a: set[str]):\n    for x in a: yield x",
    "def f(a: 'set[str]'):\n    for x in a: yield x",
    "from collections.abc import Set as AbstractSet\ndef f(a: AbstractSet[str]): return [x for x in a]",
    "def f(a, b):\n    for x in a.keys() - b: yield x",
    "def f(a, b):\n    for x in set(a) | b: yield x",
    "def f(a, b):\n    for x in set(a).union(b): yield x",
    "def f(a): return [x for x in set(a)]",
    "def f(a): return {x: 1 for x in set(a)}",
    "def f(a): return list(set(a))",
    "def f(a): return tuple({x for x in a})",
    "def f(a): return ','.join(set(a))",
    "def f(a): return ','.join(x for x in set(a))",
    "def f(a): return list(x for x in set(a))",
    "def f(a): return [*set(a)]",
    "def f(a): return next(iter(set(a)))",
    "def f(a): return set(a).pop()",
    "def f(a):\n    (x,) = set(a)\n    return x",
    "def f(a): return min(set(a), key=len)",
    "def f(a): return enumerate(set(a))",
    "def f(a): return dict.fromkeys(set(a))",
    "def f(a, b):\n    b.extend(set(a))",
    "def f(a): yield from set(a)",
    "class Team:\n    commanders: set[str]\ndef f(team):\n    for x in team.commanders: yield x",
    "class Team:\n    def __init__(self): self.commanders: set[str] = set()\ndef f(team): return list(team.commanders)",
    "def f(a):\n    s = set(a)\n    def g():\n        for x in s: yield x\n    return g",
)
ALLOWED = (
    "from collections.abc import Mapping, Sequence",
    "from dataclasses import dataclass, field",
    "from functools import cached_property, partial",
    "from math import isqrt, gcd",
    "import heapq\nfrom bisect import insort",
    "from shared.dice import Draws",
    "from shared.rules.interface import Event",
    "from shared.rules import shapes",
    "def f(a, b): return a // b, a % b, divmod(a, b), a ** b, 2 ** a",
    "def f(a): return a * 45 // 100",
    "x = 1_000_000",
    "def f(a): return a is None or a is True or a is not ...",
    "def f(a): return type(a) is int",
    "def f(id, hash): return id, hash",
    "def f(items): return {id: 1 for id in items}, [hash for hash in items]",
    "class Command:\n    id: str\n    def f(self): return self.id",
    "from collections.abc import Mapping\nTABLE: Mapping[str, int] = {'a': 1}",
    "from collections.abc import Sequence\nfrom typing import Final\nTABLE: Final[Sequence[int]] = [1]",
    "KINDS = ('a', 'b')\nKNOWN = frozenset({'a', 'b'})",
    "__all__ = ['f']",
    "class State:\n    __slots__ = ['a', 'b']",
    "from dataclasses import field\nclass Team:\n    ids: list[str] = field(default_factory=list)",
    "def f(a=(), b=None): return a, b",
    "def f():\n    cache = {}\n    return cache",
    "def f(a):\n    try: return a['x']\n    except KeyError: return 0",
    "def f(a): return f'{a:03d} {a!r} {a:>5}'",
    "def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n    return g",
    "def f(a):\n    for key, value in a.items(): yield key, value",
    "def f(a):\n    for key in a.keys(): yield key",
    # sets whose order decides nothing
    "def f(a):\n    for x in sorted(set(a)): yield x",
    "def f(a): return [x for x in sorted({b for b in a})]",
    "def f(a, b): return b in set(a), len(set(a)), set(a) <= set(b)",
    "def f(a): return {x + 1 for x in set(a)}",
    "def f(a): return any(x > 1 for x in set(a)), all(x for x in set(a)), sum(x for x in set(a))",
    "def f(a): return min(set(a)), max(set(a))",
    "def f(a): return sorted(x for x in set(a))",
    "def f(a): return frozenset(x for x in set(a))",
    "class Team:\n    commanders: set[str]\ndef f(team):\n    for x in sorted(team.commanders): yield x",
    "def f(a):\n    s = set(a)\n    return [x for x in a if x not in s]",
    "def f(a, b):\n    for x in a - b: yield x",
    "def f(a): return a.pop()",
)

FOLDER = Path(shared.rules.__file__).parent
MODULES = sorted(FOLDER.rglob("*.py"))


@cache
def attributes_of_all() -> SetNames:
    """Attributes of every module of the rules that are sets."""
    found: SetNames = frozenset()
    for module in MODULES:
        found |= set_attributes(ast.parse(module.read_text()))
    return found


@pytest.mark.parametrize("snippet", FORBIDDEN)
def test_what_could_make_a_replay_differ_is_forbidden(snippet: str) -> None:
    assert faults(snippet) != []


@pytest.mark.parametrize("snippet", ALLOWED)
def test_what_cannot_is_allowed(snippet: str) -> None:
    assert faults(snippet) == []


def test_a_fault_names_line_and_reason() -> None:
    assert faults("import re\nimport time\n") == [
        "2: import time: the rules import rules, dice and a few modules of the library"
    ]


def test_an_attribute_that_is_a_set_in_another_module_is_known() -> None:
    assert faults("def f(team): return list(team.commanders)") == []
    assert faults("def f(team): return list(team.commanders)", frozenset({"commanders"})) != []


@pytest.mark.parametrize("module", MODULES, ids=lambda module: str(module.relative_to(FOLDER)))
def test_the_rules_hold_nothing_forbidden(module: Path) -> None:
    assert faults(module.read_text(), attributes_of_all()) == []
