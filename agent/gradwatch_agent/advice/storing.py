"""A statement that stores a tensor, rewritten so that it stores no graph. Pure."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Final

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.parts import part, parts
from gradwatch_agent.advice.rewriting import (
    Change,
    detached,
    detached_if_tensor,
    is_bare,
    number,
    plain_number,
    put_call,
    replaced,
)
from gradwatch_agent.source.flow.drawing import is_element
from gradwatch_agent.source.stored.handing import is_handed, of_any_kind, of_many, of_parameters
from gradwatch_agent.source.stored.stores import Store, uses_of_tensor
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.targets import updated

_ASSIGNING = ("assign", "augment", "bind")
"""How a statement stores, where it gives a name something; else it calls what puts it in."""


def without_graph(kept: Kept, store: Store) -> str | None:
    """The statement, storing no graph; None if it is not to be told how."""
    code = _without_graph(kept, store) if not kept.hidden else None
    return code if code != ast.unparse(store.node) else None  # as it is, it stores one


def _without_graph(kept: Kept, store: Store) -> str | None:
    value = stored(store)
    lone = kept.scalar and not inner_labels(kept, store)
    if value is None or not lone:
        return changed(kept, store, lambda part: _cut(kept, store, part))
    adds = store.how == "augment" or (store.accumulates and store.how == "assign")
    if adds and not uses_of_tensor(store.file, kept.name):
        handed = is_handed(store.file, store.line, value)
        return changed(kept, store, plain_number if handed else number)
    among = of_parameters if adds else of_many
    return changed(kept, store, lambda value: _cut(kept, store, value, among))


def _cut(kept: Kept, store: Store, value: ast.expr, *among: Callable[..., set[str]]) -> ast.expr:
    """A part of what is stored, detached; where it may be a number at times, if it is none."""
    among += (of_any_kind, *((of_parameters, of_many) if kept.mixed else ()))
    mixed = set().union(*(names(store.file, store.line, value) for names in among))
    return detached_if_tensor(value, mixed) if mixed else detached(value)


_STORE: Final = "Store it without its graph: "


def is_at_store(advice: str | None) -> bool:
    """Whether it is to change the one statement that stores."""
    return advice is not None and advice.startswith(_STORE) and advice.count("`") == len("``")


def store_it(kept: Kept, store: Store, code: str, more: str = "") -> str:
    """The advice to store it as in that code; and in the statements of the same function that store
    the same, as where a buffer is filled first, and overwritten later, or what keeps as much.
    """
    told = {store.line: f"{_STORE}`{code}`{more}."}
    for each in kept.stores:
        same = (each.file, each.function) == (store.file, store.function)
        if same and each.line not in told and _goes_along(kept, store, each):
            beside = without_graph(kept, each)
            told[each.line] = f" In line {each.line}, too: `{beside}`." if beside else ""
    return "".join(told.values())


def detach_first(kept: Kept, store: Store, carried: str) -> str:
    """For objects that are put into a container, and carry graphs in their attributes."""
    call = put_call(store)
    value = call.args[-1] if call is not None and call.args else None
    owner = ast.unparse(value) if is_bare(value) and value is not None else "x"
    carrying = dict.fromkeys((carried, *(b for b in kept.beside if b[:1] == ".")))
    code = "; ".join(f"{owner}{each} = {owner}{each}.detach()" for each in carrying)
    return f"Detach what it carries before it is stored there: `{code}`."


def _goes_along(kept: Kept, store: Store, other: Store) -> bool:
    """Whether the other statement is at fault as well."""
    if other.key != store.key:
        return other.key is not None and f"[{other.key}]" in kept.keys
    value, second = stored(store), stored(other)
    return value is not None and second is not None and ast.dump(value) == ast.dump(second)


def stored(store: Store) -> ast.expr | None:
    """What the statement stores."""
    call = None if store.how in _ASSIGNING else put_call(store)
    if call is not None:
        return _as_attribute(store, call) or (call.args[-1] if call.args else None)
    match store.node:
        case ast.Assign(targets=[ast.Tuple(elts=into)], value=ast.Tuple(elts=values)):
            pairs = zip(map(ast.unparse, into), values, strict=False)
            return next((value for target, value in pairs if target == store.target), None)
    return getattr(store.node, "value", None)


def _as_attribute(store: Store, call: ast.Call) -> ast.expr | None:
    """What `self.__dict__.update(x=1)` gives the attribute."""
    every = updated(call)
    return next((value for target, value in every if ast.unparse(target) == store.target), None)


def changed(kept: Kept, store: Store, change: Change) -> str | None:
    """The statement with what it stores changed; None if it is not to be told how."""
    if store.how in _ASSIGNING:
        return _assigned(kept, store, change)
    return _put(kept, store, change)


def inner_labels(kept: Kept, store: Store) -> tuple[str, ...]:
    """The way from the value that is stored on to the tensor in it."""
    passed = f".{store.target.rpartition('.')[2]}"
    if passed in kept.labels and passed != f".{kept.name}":
        within = kept.labels[kept.labels.index(passed) + 1 :]
        into_it = store.how in _AT_A_PLACE and within[:1] and within[0].startswith("[")
        return within[1:] if into_it else within
    into = store.keys
    if store.how in _ASSIGNING and into < len(kept.own_keys) and _names_it(kept, store):
        return (*kept.own_keys[into:], *kept.labels)
    keys = into - len(kept.own_keys)
    keys = max(keys, _keys_before(kept, store), _keys_to_its_own(kept, store), 0)
    whole = store.how in _ASSIGNING or (kept.of_one and store.how == "set")
    return kept.labels[keys + (not whole) :]


def _names_it(kept: Kept, store: Store) -> bool:
    """Whether it gives the name itself something else, not what lies under a key of it."""
    return store.target.partition("[")[0].rpartition(".")[2] == kept.name


def _keys_to_its_own(kept: Kept, store: Store) -> int:
    """How many keys lead to the constant one that it stores under: of `opt.state[p]["m"]` two,
    though the statement be `state["m"] = m`.
    """
    own = f"[{store.key}]"
    at_once = store.how in ("assign", "augment") and store.key is not None
    return kept.labels.index(own) + 1 if at_once and own in kept.labels else 0


def _keys_before(kept: Kept, store: Store) -> int:
    """How many keys lead to the list that is added to: `rows = table[k]; rows.append(x)`."""
    if store.how not in _AT_A_PLACE:
        return 0
    own = store.target.partition("[")[0].rpartition(".")[2] == kept.name
    within = not own and is_element(store.file, store.line, store.target, kept.name)
    return max(kept.keyed, int(within))


_AT_A_PLACE: Final = ("append", "appendleft", "insert")

_KEEPING = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def _assigned(kept: Kept, store: Store, change: Change) -> str | None:
    node = store.node
    value = getattr(node, "value", None)
    if not isinstance(node, _KEEPING) or value is None:
        return None
    if isinstance(node, ast.Assign) and _unpacks(node):
        return None
    alone = not inner_labels(kept, store)
    new: ast.expr | None
    if isinstance(node, ast.AugAssign) and alone:
        new = change(value)
    elif isinstance(node, ast.AugAssign) and kept.kinds[:1] == ("dict",):
        new = parts(value, kept.labels, kept.beside, change)
    elif _is_slice(node) or (isinstance(node, ast.AugAssign) and kept.kinds):
        new = _extended(kept, value, kept.labels[1:], change)
    elif isinstance(node, ast.AugAssign):
        new = change(value)
    elif change is number:
        new = _accumulated(value, store.target) or detached(value)
    else:
        new = parts(value, inner_labels(kept, store), kept.beside, change)
    return replaced(node, value, new) if new is not None else None


def _is_slice(node: ast.stmt) -> bool:
    """`history[n:] = [loss]`."""
    targets = getattr(node, "targets", ())
    return any(isinstance(t, ast.Subscript) and isinstance(t.slice, ast.Slice) for t in targets)


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
            if (new := parts(element, labels, kept.beside, change)) is not None
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


def _updated(kept: Kept, value: ast.expr, change: Change) -> ast.expr | None:
    """What a dict is updated with: another one, or pairs."""
    match value:
        case (
            ast.GeneratorExp(elt=ast.Tuple(elts=[key, one]))
            | ast.ListComp(elt=ast.Tuple(elts=[key, one]))
        ):
            new = part(one, kept.labels[1:], change)
            pair = ast.Tuple([key, new], ast.Load()) if new is not None else None
            return type(value)(pair, value.generators) if pair is not None else None
        case ast.GeneratorExp() | ast.ListComp() | ast.SetComp() | ast.List() | ast.Tuple():
            return None  # pairs all the same, but not to be told where their halves are
    return parts(value, kept.labels, kept.beside, change)


def _put(kept: Kept, store: Store, change: Change) -> str | None:
    """The call that adds, with what it adds detached."""
    call = put_call(store)
    if call is None:
        return None
    if (value := _as_attribute(store, call)) is not None:
        new = parts(value, kept.labels, kept.beside, change)
        return replaced(store.node, value, new) if new is not None else None
    if store.how == "update" and len(call.args) == 1 and not call.keywords:
        new = _updated(kept, call.args[0], change)
        return replaced(store.node, call.args[0], new) if new is not None else None
    if store.how in ("extend", "extendleft") and call.args:
        new = _extended(kept, call.args[0], inner_labels(kept, store), change)
        return replaced(store.node, call.args[0], new) if new is not None else None
    if store.rest is not None:
        return _put_together(kept, store, call, change)
    values = [*(k.value for k in call.keywords), *call.args]
    if not values:
        return None
    in_place = re.search(r"[^_]_$", store.how) is not None
    value = call.args[0] if in_place and call.args else values[-1]
    new = parts(value, inner_labels(kept, store), kept.beside, change)
    return replaced(store.node, value, new) if new is not None else None


def _put_together(kept: Kept, store: Store, call: ast.Call, change: Change) -> str | None:
    """The call whose further arguments become one record."""
    given = ast.Tuple(call.args[store.rest :], ast.Load())
    new = parts(given, inner_labels(kept, store), kept.beside, change)
    if not isinstance(new, ast.Tuple):
        return None
    arguments = [*call.args[: store.rest], *new.elts]
    return replaced(store.node, call, ast.Call(call.func, arguments, call.keywords))
