"""Where a module goes through a set in the order of its hashes (ENG-2).

What is a set is inferred from literals, calls, operators and annotations, within a function and for attributes over
all modules of the rules. Consumers whose result does not depend on the order are allowed.
"""

import ast
from collections.abc import Iterator

SetNames = frozenset[str]
"""Names of attributes that are annotated as sets somewhere in the rules."""

SET_TYPES = frozenset({"set", "frozenset", "Set", "AbstractSet", "MutableSet", "KeysView"})
SET_METHODS = frozenset({"union", "intersection", "difference", "symmetric_difference", "copy"})
SET_OPERATORS = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)
ORDER_FREE = frozenset({"sorted", "len", "set", "frozenset", "any", "all", "sum", "bool"})
"""Functions that give the same for every order of what they go through."""
ORDER_FREE_WITHOUT_KEY = frozenset({"min", "max"})
IN_ORDER = frozenset(
    {"list", "tuple", "iter", "enumerate", "zip", "map", "filter", "reversed", "dict", "next", "deque"}
)
IN_ORDER_METHODS = frozenset({"join", "extend", "fromkeys", "chain", "from_iterable", "accumulate"})
REASON = "goes through a set in the order of its hashes; use sorted()"

Fault = tuple[int, str]


def set_attributes(tree: ast.Module) -> SetNames:
    """Attributes of classes, and of self, that are annotated as sets in a module."""
    found: set[str] = set()
    for node in ast.walk(tree):
        inside = node.body if isinstance(node, ast.ClassDef) else ()
        for item in (node, *inside):
            match item:
                case ast.AnnAssign(target=ast.Attribute(attr=name), annotation=annotation) if _is_set_type(annotation):
                    found.add(name)
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if _is_set_type(annotation):
                    if item is not node:
                        found.add(name)
    return frozenset(found)


def iterations_over_sets(tree: ast.Module, attributes: SetNames | None = None) -> Iterator[Fault]:
    """Every place at which the order of a set decides something."""
    known = set_attributes(tree) | (attributes or frozenset())
    yield from _Scope(known, frozenset()).visit(tree)


class _Scope:
    """One function (or the module), with the names in it that hold sets."""

    def __init__(self, attributes: SetNames, outer: SetNames) -> None:
        self._attributes = attributes
        self._names = outer

    def visit(self, scope: ast.AST) -> Iterator[Fault]:
        self._names = self._names | self._bound_sets(scope)
        for node in _own_nodes(scope):
            if isinstance(node, ast.FunctionDef | ast.Lambda) and node is not scope:
                yield from _Scope(self._attributes, self._names).visit(node)
            else:
                yield from self._faults(node)

    def _bound_sets(self, scope: ast.AST) -> SetNames:
        names: set[str] = set()
        if isinstance(scope, ast.FunctionDef):
            for item in ast.walk(scope.args):
                if isinstance(item, ast.arg) and item.annotation is not None and _is_set_type(item.annotation):
                    names.add(item.arg)
        for _ in range(2):  # a second time for names that are set from names found in the first
            for node in _own_nodes(scope):
                match node:
                    case (
                        ast.Assign(targets=[ast.Name(id=name)], value=value)
                        | ast.NamedExpr(target=ast.Name(id=name), value=value)
                    ):
                        if self._is_set(value, names):
                            names.add(name)
                    case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation) if _is_set_type(annotation):
                        names.add(name)
        return frozenset(names)

    def _is_set(self, node: ast.expr, more: set[str] | SetNames = frozenset()) -> bool:
        match node:
            case ast.Set() | ast.SetComp():
                return True
            case ast.Name(id=name):
                return name in self._names or name in more
            case ast.Attribute(attr=name):
                return name in self._attributes
            case ast.Call(func=ast.Name(id="set" | "frozenset")):
                return True
            case ast.Call(func=ast.Attribute(value=value, attr=method)) if method in SET_METHODS:
                return self._is_set(value, more)
            case ast.BinOp(left=left, op=op, right=right) if isinstance(op, SET_OPERATORS):
                views = any(_is_keys(side) for side in (left, right))
                return views or self._is_set(left, more) or self._is_set(right, more)
            case ast.IfExp(body=body, orelse=orelse):
                return self._is_set(body, more) or self._is_set(orelse, more)
            case ast.BoolOp(values=values):
                return any(self._is_set(value, more) for value in values)
        return False

    def _faults(self, node: ast.AST) -> Iterator[Fault]:
        match node:
            case ast.For(iter=over) if self._is_set(over):
                yield node.lineno, f"for {REASON}"
            case ast.ListComp() | ast.DictComp():
                if any(self._is_set(item.iter) for item in node.generators):
                    yield node.lineno, f"a comprehension {REASON}"
            case ast.Call():
                yield from self._faults_of_call(node)
            case ast.Starred(value=value) if self._is_set(value):
                yield node.lineno, f"an unpacking {REASON}"
            case ast.Assign(targets=[ast.Tuple() | ast.List()], value=value) if self._is_set(value):
                yield node.lineno, f"an unpacking {REASON}"
            case ast.YieldFrom(value=value) if self._is_set(value):
                yield node.lineno, f"yield from {REASON}"

    def _faults_of_call(self, call: ast.Call) -> Iterator[Fault]:
        name = call.func.id if isinstance(call.func, ast.Name) else None
        method = call.func.attr if isinstance(call.func, ast.Attribute) else None
        keyed = any(keyword.arg == "key" for keyword in call.keywords)
        free = name in ORDER_FREE or (name in ORDER_FREE_WITHOUT_KEY and not keyed)
        in_order = name in IN_ORDER or method in IN_ORDER_METHODS or (name in ORDER_FREE_WITHOUT_KEY and keyed)
        for argument in call.args:
            generated = argument.generators if isinstance(argument, ast.GeneratorExp) and not free else ()
            if any(self._is_set(item.iter) for item in generated):
                yield call.lineno, f"a generator {REASON}"
            if in_order and self._is_set(argument):
                yield call.lineno, f"{name or method} {REASON}"
        if method == "pop" and isinstance(call.func, ast.Attribute) and self._is_set(call.func.value):
            yield call.lineno, "pop takes any member of a set; which one is not defined"


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a scope; of functions inside it the node itself alone."""
    pending: list[ast.AST] = list(ast.iter_child_nodes(scope))
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda):
            pending.extend(ast.iter_child_nodes(node))


def _is_keys(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "keys"


def _is_set_type(annotation: ast.expr) -> bool:
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    if isinstance(outer, ast.Constant) and isinstance(outer.value, str):
        return outer.value.split("[")[0] in SET_TYPES
    return isinstance(outer, ast.Name) and outer.id in SET_TYPES
