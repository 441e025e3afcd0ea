"""Which stores can carry no graph, each variable judged by all that is stored in it. Pure.

A leaf that wants a gradient carries none itself; what is computed from it does.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, TypeAlias

from gradwatch_agent.source.syntax.places import Index, Place
from gradwatch_agent.source.syntax.reading import called, dotted, is_empty
from gradwatch_agent.source.syntax.scopes import Scope

Values: TypeAlias = dict[Place, list[tuple[list[ast.expr], Scope]]]
"""What each of the stores into a place stores, and where from."""


class Carries(enum.IntEnum):
    """The most that a value may carry."""

    GRAPH = 0
    LEAF = 1
    NOTHING = 2


Known: TypeAlias = Callable[[str], Carries]
"""What a plain variable carries, by all that is ever stored in it."""

_WRAPPING: Final = frozenset(
    (
        "list",
        "dict",
        "deque",
        "set",
        "tuple",
        "defaultdict",
        "OrderedDict",
        "Counter",
        "ChainMap",
        "UserDict",
        "UserList",
        "WeakKeyDictionary",
        "WeakValueDictionary",
        "WeakSet",
        "ExitStack",
        "AsyncExitStack",
    )
)
"""Containers, which carry no graph where nothing goes in."""

_FRESH: Final = _WRAPPING | frozenset(
    (
        "zeros",
        "ones",
        "empty",
        "full",
        "randn",
        "rand",
        "randint",
        "arange",
        "zeros_like",
        "ones_like",
        "rand_like",
        "randn_like",
        "full_like",
        "empty_like",
        "new_zeros",
        "new_ones",
        "new_full",
        "new_empty",
        "eye",
        "linspace",
        "logspace",
        "randperm",
        "tensor",
        "detach",
        "item",
        "numpy",
        "tolist",
        "field",
        "float",
        "int",
        "str",
        "bool",
        "len",
        "round",
        "repr",
        "range",
        "perf_counter",
        "argmax",
        "argmin",
        "numel",
        "from_numpy",
    )
)
"""Calls whose result carries no graph: what is stored so is not what leaks."""

_SAME: Final = frozenset(("to", "clone", "cpu", "cuda", "double", "float", "half"))
"""Methods whose result carries a graph as soon as a leaf is given."""


def settle(index: Index, values: Values) -> None:
    """Tells the index. All are taken to be fresh, until something says otherwise."""
    carried = {place: [Carries.NOTHING] * len(every) for place, every in values.items()}
    changed = True
    while changed:
        changed = False
        for place, every in values.items():
            for number, (stored, scope) in enumerate(every):
                now = _all_of(stored, place, scope, carried)
                if now < carried[place][number]:
                    carried[place][number], changed = now, True
    for place, stores in index.puts.items():
        told = zip(stores, carried[place], strict=True)
        index.puts[place] = [replace(store, fresh=bool(known)) for store, known in told]


def _all_of(
    stored: list[ast.expr], place: Place, scope: Scope, carried: dict[Place, list[Carries]]
) -> Carries:
    def known(name: str) -> Carries:
        home = scope.home(name)
        told = carried.get(Place(place.file or scope.file, home.line, name))
        return Carries.GRAPH if told is None or name in home.parameters else min(told)

    return _least(carries(value, known) for value in stored)


def carries(value: ast.expr | None, known: Known) -> Carries:
    """What the value may carry; nothing: a constant, an empty container, a new tensor."""
    match value:
        case None | ast.Constant() | ast.JoinedStr() | ast.Compare():
            return Carries.NOTHING
        case ast.Name(id=name):
            return known(name)
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            return _least(carries(part, known) for part in parts)
        case ast.Dict(values=parts):
            return _least(carries(part, known) for part in parts)
        case ast.DictComp(value=part) | ast.ListComp(elt=part):
            empty = isinstance(part, ast.Constant) or is_empty(part)
            return Carries.NOTHING if empty else Carries.GRAPH
        case ast.BinOp(left=left, right=right):
            return _computed(carries(left, known), carries(right, known))
        case ast.UnaryOp(operand=operand):
            return _computed(carries(operand, known))
        case ast.IfExp(body=body, orelse=other):
            return min(carries(body, known), carries(other, known))
        case ast.Call():
            return _of_call(value, known)
    return Carries.GRAPH


def _least(several: Iterable[Carries]) -> Carries:
    return min(several, default=Carries.NOTHING)


def _computed(*operands: Carries) -> Carries:
    return Carries.NOTHING if min(operands) is Carries.NOTHING else Carries.GRAPH


def _of_call(call: ast.Call, known: Known) -> Carries:
    name = called(call)
    inner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if name == "requires_grad_" and inner is not None:
        return min(carries(inner, known), Carries.LEAF)
    if name in _SAME and (inner is not None or name != "float"):
        return _computed(carries(inner, known)) if inner is not None else Carries.GRAPH
    if name == "Parameter":
        return Carries.LEAF
    if name not in _FRESH:
        return Carries.GRAPH
    into = [*call.args, *(keyword.value for keyword in call.keywords)]
    if name in _WRAPPING:
        return _least(carries(each, known) for each in into if dotted(each) not in _WRAPPING)
    wants = any(k.arg == "requires_grad" and not _is_false(k.value) for k in call.keywords)
    return Carries.LEAF if wants else Carries.NOTHING


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and value.value is False
