"""What the modules of the rules may not contain, because a replay could differ by it (ENG-1, ENG-2, ENG-11).

`faults(source)` lists what is wrong with one module. It reads the syntax tree alone: what it forbids is data below,
and test_syntax.py holds two lists of snippets, one forbidden and one allowed.
"""

import ast
from collections.abc import Iterator, Mapping

from tests.rules.conformance.sets import SetNames, iterations_over_sets

ALLOWED_MODULES = frozenset(
    {
        "abc",
        "bisect",
        "collections",
        "collections.abc",
        "dataclasses",
        "enum",
        "functools",
        "heapq",
        "itertools",
        "operator",
        "re",
        "types",
        "typing",
        "shared.dice",
    }
)
"""Standard library without clock, chance, files, floats or locale. Besides, everything below shared.rules."""

ALLOWED_MEMBERS: Mapping[str, frozenset[str]] = {"math": frozenset({"comb", "gcd", "isqrt", "lcm"})}
"""Of other modules these names alone, by `from module import name`: they take and give integers."""

FORBIDDEN_MEMBERS: Mapping[tuple[str, str], str] = {
    ("functools", "cache"): "a cache for all games is state outside the game",
    ("functools", "lru_cache"): "a cache for all games is state outside the game",
    ("operator", "truediv"): "true division makes floats",
    ("operator", "itruediv"): "true division makes floats",
}

FORBIDDEN_NAMES: Mapping[str, str] = {
    "float": "floats differ between machines",
    "complex": "floats differ between machines",
    "round": "rounding is for floats",
    "hash": "hashes of strings differ between processes",
    "id": "addresses differ between processes",
    "open": "the rules read no files",
    "input": "the rules read no terminal",
    "print": "the rules write nothing",
    "eval": "code is not data",
    "exec": "code is not data",
    "compile": "code is not data",
    "breakpoint": "the rules stop for nobody",
    "globals": "state outside the game",
    "locals": "state outside the game",
    "vars": "state outside the game",
    "__import__": "imports are statements",
    "__debug__": "it differs with the interpreter's options",
}
FORBIDDEN_METHODS: Mapping[str, str] = {
    "popitem": "takes whatever was put in last",
    "casefold": "depends on the Unicode version of the interpreter",
    "lower": "depends on the Unicode version of the interpreter",
    "upper": "depends on the Unicode version of the interpreter",
    "title": "depends on the Unicode version of the interpreter",
    "capitalize": "depends on the Unicode version of the interpreter",
    "swapcase": "depends on the Unicode version of the interpreter",
    "__hash__": "hashes of strings differ between processes",
}
FORBIDDEN_EXCEPTIONS = frozenset({"Exception", "BaseException", "MemoryError", "RecursionError"})
"""What depends on the machine must not become a decision."""
READ_ONLY = frozenset({"Mapping", "Sequence", "Collection", "Iterable", "AbstractSet", "Set", "frozenset", "tuple"})
"""Annotations under which mypy lets nobody change a module's table."""
MUTABLE_CALLS = frozenset({"dict", "list", "set", "bytearray", "defaultdict", "Counter", "deque", "OrderedDict"})
FLOAT_FORMATS = "eEfFgGn%"


def faults(source: str, sets: SetNames | None = None) -> list[str]:
    """What is forbidden in a module, as "line: reason". `sets` are attributes known to be sets from other modules."""
    tree = ast.parse(source)
    found = [*_nodes(tree), *_tables(tree), *_free_names(tree, frozenset()), *iterations_over_sets(tree, sets)]
    return [f"{line}: {reason}" for line, reason in sorted(set(found))]


Fault = tuple[int, str]


def _nodes(tree: ast.Module) -> Iterator[Fault]:
    for node in ast.walk(tree):
        for reason in _reasons(node):
            yield getattr(node, "lineno", 0), reason


def _reasons(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            for name in names:
                if not _is_allowed(name.name):
                    yield f"import {name.name}: the rules import rules, dice and a few modules of the library"
        case ast.ImportFrom(module=module, names=names, level=level):
            yield from _reasons_of_import(module or "", names, level)
        case ast.Constant(value=float() | complex()):
            yield "a float"
        case ast.BinOp(op=ast.Div()) | ast.AugAssign(op=ast.Div()):
            yield "true division makes floats"
        case ast.BinOp(op=ast.Pow(), right=ast.UnaryOp(op=ast.USub())):
            yield "a negative power makes floats"
        case ast.Attribute(attr=name) if name in FORBIDDEN_METHODS:
            yield f".{name}: {FORBIDDEN_METHODS[name]}"
        case ast.Attribute(value=ast.Name(id=module), attr=name) if (module, name) in FORBIDDEN_MEMBERS:
            yield f"{module}.{name}: {FORBIDDEN_MEMBERS[module, name]}"
        case ast.Compare(left=left, ops=ops, comparators=right):
            if any(isinstance(op, ast.Is | ast.IsNot) for op in ops) and any(map(_is_value, (left, *right))):
                yield "identity of values differs between interpreters"
        case ast.Global():
            yield "global: state outside the game"
        case ast.Assert():
            yield "assert: left out with python -O"
        case ast.ExceptHandler(type=None):
            yield "except for everything catches what depends on the machine"
        case ast.ExceptHandler(type=caught) if _names(caught) & FORBIDDEN_EXCEPTIONS:
            yield "except for everything catches what depends on the machine"
        case ast.FormattedValue(format_spec=ast.JoinedStr(values=[*_, ast.Constant(value=str(spec))])):
            if spec and spec[-1] in FLOAT_FORMATS:
                yield "a format for floats"
        case ast.FunctionDef() | ast.Lambda():
            defaults = (*node.args.defaults, *(item for item in node.args.kw_defaults if item is not None))
            if any(map(_is_mutable, defaults)):
                yield "a mutable default is state outside the game"
        case ast.AsyncFunctionDef() | ast.Await() | ast.AsyncFor() | ast.AsyncWith():
            yield "the rules wait for nothing"


def _is_allowed(module: str) -> bool:
    return module in ALLOWED_MODULES or module == "shared.rules" or module.startswith("shared.rules.")


def _reasons_of_import(module: str, names: list[ast.alias], level: int) -> Iterator[str]:
    if level:
        yield "a relative import"
    for name in names:
        if (module, name.name) in FORBIDDEN_MEMBERS:
            yield f"{module}.{name.name}: {FORBIDDEN_MEMBERS[module, name.name]}"
        permitted = name.name in ALLOWED_MEMBERS.get(module, ())
        if not permitted and not _is_allowed(module) and not _is_allowed(f"{module}.{name.name}"):
            yield f"from {module} import {name.name}: the rules import rules, dice and a few modules of the library"


def _is_value(node: ast.expr) -> bool:
    """A literal whose identity means nothing: a number, a string, a tuple."""
    if isinstance(node, ast.UnaryOp):
        return _is_value(node.operand)
    return isinstance(node, ast.Tuple) or (isinstance(node, ast.Constant) and type(node.value) in (int, str, bytes))


def _names(node: ast.AST | None) -> set[str]:
    return {item.id for item in ast.walk(node) if isinstance(item, ast.Name)} if node is not None else set()


def _is_mutable(node: ast.expr) -> bool:
    literal = isinstance(node, ast.Dict | ast.List | ast.Set | ast.DictComp | ast.ListComp | ast.SetComp)
    return literal or (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MUTABLE_CALLS)


def _tables(tree: ast.Module) -> Iterator[Fault]:
    """Mutable objects of modules and classes; a table is annotated with what cannot change."""
    bodies = [tree.body, *(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]
    for statement in (item for body in bodies for item in body):
        reason = "a mutable object of a module or class is state outside the game; annotate a table as Mapping"
        match statement:
            case ast.Assign(targets=[ast.Name(id="__all__" | "__slots__")]):
                pass
            case ast.Assign(value=value) if _is_mutable(value):
                yield statement.lineno, reason
            case ast.AnnAssign(value=value, annotation=annotation) if value is not None and _is_mutable(value):
                if not _outermost(annotation) & READ_ONLY:
                    yield statement.lineno, reason


def _outermost(annotation: ast.expr) -> set[str]:
    if isinstance(annotation, ast.Subscript):
        outer = _outermost(annotation.value)
        return _outermost(annotation.slice) if outer & {"Final", "ClassVar"} else outer
    return _names(annotation)


def _free_names(node: ast.AST, bound: frozenset[str]) -> Iterator[Fault]:
    """Uses of forbidden builtins that no enclosing scope gives another meaning."""
    if isinstance(node, ast.Module | ast.FunctionDef | ast.Lambda | ast.ClassDef):
        bound |= _bound_in(node)
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in FORBIDDEN_NAMES.keys() - bound:
        yield node.lineno, f"{node.id}: {FORBIDDEN_NAMES[node.id]}"
    for child in ast.iter_child_nodes(node):
        yield from _free_names(child, bound)


def _bound_in(scope: ast.AST) -> frozenset[str]:
    """Names that a scope binds itself, in nested scopes too unless these are functions of their own."""
    names: set[str] = set()
    if isinstance(scope, ast.FunctionDef | ast.Lambda):
        names |= {item.arg for item in ast.walk(scope.args) if isinstance(item, ast.arg)}
    pending: list[ast.AST] = list(ast.iter_child_nodes(scope))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.MatchAs | ast.MatchStar) and node.name:
            names.add(node.name)
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            pending.extend(ast.iter_child_nodes(node))
    return frozenset(names)
