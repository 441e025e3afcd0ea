"""A statement that stores, with a part of what it stores changed. Pure."""

from __future__ import annotations

import ast
import re
from typing import Final

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.parts import part
from gradwatch_agent.advice.rewriting import (
    Change,
    all_replaced,
    detached,
    number,
    put_call,
    replaced,
)
from gradwatch_agent.advice.stored import ASSIGNING, as_attribute, inner_labels
from gradwatch_agent.advice.within import of_kept
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.targets import fills_a_slice, pairs
from gradwatch_agent.source.syntax.vocabulary import works_in_place

_KEEPING: Final = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def changed(kept: Kept, store: Store, change: Change) -> str | None:
    """The statement with what it stores changed; None if it is not to be told how."""
    if store.how in ASSIGNING:
        return _assigned(kept, store, change)
    return _put(kept, store, change)


def _assigned(kept: Kept, store: Store, change: Change) -> str | None:
    node = store.node
    value = getattr(node, "value", None)
    if not isinstance(node, _KEEPING) or value is None:
        return None
    if isinstance(node, ast.Assign) and _unpacks(node):
        given = (one for target, one in pairs(node) if ast.unparse(target) == store.target)
        value = next(given, None)
        if value is None:
            return None
    alone = not inner_labels(kept, store)
    new: ast.expr | None
    if isinstance(node, ast.AugAssign) and alone:
        new = change(value)
    elif isinstance(node, ast.AugAssign) and kept.kinds[:1] == ("dict",):
        new = of_kept(kept, value, kept.labels, change)
    elif kept.kinds and (fills_a_slice(node) or isinstance(node, ast.AugAssign)):
        new = _extended(kept, value, kept.labels[1:], change)
    elif isinstance(node, ast.AugAssign):
        new = change(value)
    elif change is number:
        new = _accumulated(value, store.target) or detached(value)
    else:
        new = of_kept(kept, value, inner_labels(kept, store), change)
    return replaced(node, value, new) if new is not None else None


def _accumulated(value: ast.expr, target: str) -> ast.expr | None:
    """`0.9 * ema + 0.1 * loss.item()`: what comes to the number that is there already.

    None where that is asked for as a tensor.
    """
    match value:
        case ast.BinOp(left=left, op=op, right=right):
            one, other = _accumulated(left, target), _accumulated(right, target)
            return ast.BinOp(one, op, other) if one is not None and other is not None else None
        case ast.Call(func=ast.Name(id="min" | "max"), args=arguments):
            each = [_accumulated(argument, target) for argument in arguments]
            found = [one for one in each if one is not None]
            return ast.Call(value.func, found, []) if len(found) == len(each) else None
        case ast.Constant() | ast.UnaryOp():
            return value
        case ast.Name() | ast.Attribute() | ast.Subscript() if ast.unparse(value) == target:
            return value
    if target in ast.unparse(value) or not _is_loss(value):
        return None
    return number(value)


def _is_loss(value: ast.expr) -> bool:
    """A factor of the user's might be a plain number; what he calls a loss is none."""
    return "loss" in ast.unparse(value).lower()


def _unpacks(node: ast.Assign) -> bool:
    return any(isinstance(target, ast.Tuple | ast.List) for target in node.targets)


def _extended(
    kept: Kept, value: ast.expr, labels: tuple[str, ...], change: Change
) -> ast.expr | None:
    """`history += [loss]`, and `extend([loss])`."""
    if isinstance(value, ast.List | ast.Tuple):
        elements = [
            new
            for element in value.elts
            if (new := of_kept(kept, element, labels, change)) is not None
        ]
        if len(elements) == len(value.elts):
            return type(value)(elts=elements, ctx=ast.Load())
        return None
    if labels:
        return _zipped(value, labels, change)
    each = ast.unparse(change(ast.Name("t", ast.Load())))
    return ast.parse(f"[{each} for t in {ast.unparse(value)}]", mode="eval").body


def _zipped(value: ast.expr, labels: tuple[str, ...], change: Change) -> ast.expr | None:
    """`extend(zip(losses, names))`: what gives the part, one by one."""
    place = labels[0].strip("[]")
    if not isinstance(value, ast.Call) or called(value) != "zip" or not place.isdigit():
        return None
    if len(labels) > 1 or int(place) >= len(value.args):
        return None
    at, each = int(place), ast.unparse(change(ast.Name("t", ast.Load())))
    new = ast.parse(f"({each} for t in {ast.unparse(value.args[at])})", mode="eval").body
    return ast.Call(value.func, [*value.args[:at], new, *value.args[at + 1 :]], value.keywords)


def _updated(kept: Kept, store: Store, value: ast.expr, change: Change) -> ast.expr | None:
    """What a dict is updated with: another one, or pairs."""
    spelled = store.target.count("[")
    labels = kept.labels or kept.own_keys[max(spelled, len(kept.own_keys) - 1) :]
    match value:
        case (
            ast.GeneratorExp(elt=ast.Tuple(elts=[key, one]))
            | ast.ListComp(elt=ast.Tuple(elts=[key, one]))
        ):
            new = part(one, labels[1:], change)
            pair = ast.Tuple([key, new], ast.Load()) if new is not None else None
            return type(value)(pair, value.generators) if pair is not None else None
        case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.List() | ast.Tuple():
            return None  # pairs all the same, but not to be told where their halves are
    return of_kept(kept, value, labels, change)


def _put(kept: Kept, store: Store, change: Change) -> str | None:
    """The call that adds, with what it adds detached."""
    call = put_call(store)
    if call is None:
        return None
    if (value := as_attribute(store, call)) is not None:
        new = of_kept(kept, value, kept.labels, change)
        return replaced(store.node, value, new) if new is not None else None
    if store.how == "update" and len(call.args) == 1 and not call.keywords:
        new = _updated(kept, store, call.args[0], change)
        return replaced(store.node, call.args[0], new) if new is not None else None
    if store.how == "update" and call.keywords and not call.args:
        return _updated_by_words(kept, store, call, change)
    if store.how in ("extend", "extendleft") and call.args:
        new = _extended(kept, call.args[0], inner_labels(kept, store), change)
        return replaced(store.node, call.args[0], new) if new is not None else None
    if store.rest is not None:
        return _put_together(kept, store, call, change)
    if store.named:
        return _put_by_name(kept, store, call, change)
    values = [*(k.value for k in call.keywords), *call.args]
    if not values:
        return None
    written = _written(call) if works_in_place(store.how) and call.args else values[-1]
    value = store.value or written
    new = of_kept(kept, value, inner_labels(kept, store), change)
    return replaced(store.node, value, new) if new is not None else None


def _written(call: ast.Call) -> ast.expr:
    """What a method in place writes: of `state.index_copy_(0, rows, new)` what comes last."""
    name, given = called(call), call.args
    by_place = name.startswith(("index_", "scatter_")) and name != "index_put_"
    at = 2 if by_place else 1 if name in _AT_CHOSEN else 0
    by_word = (word.value for word in call.keywords if word.arg in _WRITTEN)
    return given[at] if at < len(given) else next(by_word, given[0])


_AT_CHOSEN: Final = ("index_put_", "masked_scatter_", "masked_fill_", "put_")
"""Methods that write at places given first."""

_WRITTEN: Final = ("src", "source", "tensor", "values", "value")
"""What their documentation calls that which is written."""


def _updated_by_words(kept: Kept, store: Store, call: ast.Call, change: Change) -> str | None:
    """`row.update(state=h, count=n)`: the one word that is a key on the way to the tensor."""
    keys = [*kept.labels, *reversed(kept.own_keys)]
    for word in call.keywords:
        if (label := f"[{word.arg!r}]") in keys:
            within = kept.labels.index(label) + 1 if label in kept.labels else 0
            new = part(word.value, kept.labels[within:], change)
            return replaced(store.node, word.value, new) if new is not None else None
    return None


def _put_together(kept: Kept, store: Store, call: ast.Call, change: Change) -> str | None:
    """The call whose further arguments become one record."""
    given = ast.Tuple(call.args[store.rest :], ast.Load())
    new = of_kept(kept, given, inner_labels(kept, store), change)
    if not isinstance(new, ast.Tuple):
        return None
    arguments = [*call.args[: store.rest], *new.elts]
    return replaced(store.node, call, ast.Call(call.func, arguments, call.keywords))


def _put_by_name(kept: Kept, store: Store, call: ast.Call, change: Change) -> str | None:
    """The call whose arguments by names become one record, or one dict."""
    labels = inner_labels(kept, store)
    own = _word(labels[0]) if labels else ""
    beside = set(map(_word, kept.beside)) if len(labels) == 1 else set()
    new: list[tuple[ast.expr, ast.expr]] = []
    for word in (each for each in call.keywords if each.arg and each.arg in {own, *beside}):
        value = part(word.value, labels[1:], change)
        if value is None and word.arg == own:
            return None
        new += [(word.value, value)] if value is not None else []
    return all_replaced(store.node, new) if new else None


def _word(label: str) -> str:
    """By which name it was given: `['loss']`, `[0:loss]`, `.loss`."""
    field = re.fullmatch(r"""\['(\w+)'\]|\[\d+:(\w+)\]|\.(\w+)""", label)
    return next(filter(None, field.groups()), "") if field else ""
