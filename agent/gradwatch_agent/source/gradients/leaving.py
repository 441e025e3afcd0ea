"""Which statements in place may have left a node of some kind in the graph. Pure but for reading.

Where no lines were noted, the kind of node is what is left of the statement that changed a tensor.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from typing import Final

from gradwatch_agent.source.flow.ahead import is_set_up
from gradwatch_agent.source.gradients.changing import InPlace, changes
from gradwatch_agent.source.gradients.switching import as_written, is_off, switch_around
from gradwatch_agent.source.stored.stores import stores
from gradwatch_agent.source.syntax.places import Place, Store
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around, functions_named

_PART: Final = ("CopySlices", "IndexPut", "MaskedFill", "MaskedScatter", "Copy")
"""A part of a tensor was given something: by an index, or through a view of it."""

_OPERATORS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "Add",
    ast.Sub: "Sub",
    ast.Mult: "Mul",
    ast.Div: "Div",
    ast.Pow: "Pow",
}

_OF_GRADIENTS: Final = frozenset(("clip_grad_norm_", "clip_grad_value_"))

_PLAIN: Final = (ast.Constant, ast.Dict, ast.List, ast.DictComp, ast.ListComp)
_PLAIN_CALLS: Final = frozenset(("dict", "list", "defaultdict", "OrderedDict", "Counter", "deque"))


def that_may_leave(
    kinds: Collection[str], files: Iterable[str], *, computed: bool = False
) -> list[InPlace]:
    """Those that run while training, in place of a tensor as far as the source tells. `computed`:
    what was changed is what an operation came to, and nothing that was made to be filled.
    """
    files = list(files)
    return [
        change
        for file in files
        for change in changes(file)
        if _leaves(change, kinds) and not (change.call and _is_own(called(change.call), files))
        if not _is_plain(change, files) and not is_set_up(file, change.line, files)
        if not (computed and _is_made_to_be_filled(change, files))
    ]


def unrecorded(files: Iterable[str]) -> list[InPlace]:
    """Those that may change a weight, and leave no node at all: where gradients are off, or through
    its `.data`.
    """
    files = list(files)
    return [
        change
        for file in files
        for change in changes(file)
        if change.how in ("method", "augment", "element") and _is_unseen(change)
        if not (change.call and _is_own(called(change.call), files))
        if not _is_plain(change, files) and not is_set_up(file, change.line, files)
    ]


def _is_unseen(change: InPlace) -> bool:
    parts = [part.attr for part in ast.walk(change.target) if isinstance(part, ast.Attribute)]
    if "grad" in parts:
        return False
    body = body_around(change.file, change.line)
    switch = switch_around(body, change.line) if body is not None else None
    return "data" in parts or (switch is not None and bool(is_off(switch, as_written)))


def _is_own(name: str, files: list[str]) -> bool:
    """Whether a function of that name changes no tensor in place as torch's would."""
    return name in _OF_GRADIENTS or bool(functions_named(name, files))


def _leaves(change: InPlace, kinds: Collection[str]) -> bool:
    """Whether a node of one of the kinds may be the statement's; a name may be that of a view."""
    if change.how == "weights":
        return False
    wanted = (*_PART, *_names(change))
    if change.how == "element":
        wanted = _PART
    return change.how == "module" or any(kind.startswith(wanted) for kind in kinds)


def _names(change: InPlace) -> tuple[str, ...]:
    """How the nodes of the operation are called: `MulBackward0` of `x *= y` and `x.mul_(y)`."""
    if isinstance(change.node, ast.AugAssign) and change.call is None:
        name = _OPERATORS.get(type(change.node.op))
        return (name,) if name is not None else ()
    if change.call is None:
        return ()
    words = called(change.call).strip("_").split("_")
    return ("".join(word.capitalize() for word in words),)


def _is_plain(change: InPlace, files: list[str]) -> bool:
    """Whether what is changed is a number or a container, by what it begins with."""
    if isinstance(change.target, ast.Subscript) and isinstance(change.target.slice, ast.Constant):
        return isinstance(change.target.slice.value, str)
    place: Place | None = change.place
    given = stores([place], files) if place is not None else []
    whole = [store for store in given if store.how == "assign" and "[" not in store.target]
    values = [_given(store) for store in whole]
    return any(
        isinstance(value, _PLAIN) or (isinstance(value, ast.Call) and called(value) in _PLAIN_CALLS)
        for value in values
    )


def _is_made_to_be_filled(change: InPlace, files: list[str]) -> bool:
    """Whether what is changed is only ever a new tensor: `rows = torch.zeros(n)`."""
    given = stores([change.place], files) if change.place is not None else []
    whole = [store for store in given if store.how == "assign" and "[" not in store.target]
    return bool(whole) and all(store.fresh for store in whole)


def _given(store: Store) -> ast.expr | None:
    """What the assignment gives to its target, be it one of several."""
    match store.node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            pairs = zip(names, values, strict=False)
            return next((v for n, v in pairs if ast.unparse(n) == store.target), None)
        case ast.Assign(value=value) | ast.AnnAssign(value=value):
            return value
    return None
