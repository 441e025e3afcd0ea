"""For something that keeps spent graphs alive: what to store instead. Pure."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import Change, detached, number, part, put_call, replaced
from gradwatch_agent.source.stores import Store, uses_of_tensor


def let_go(kept: Kept | None, store: Store | None) -> str:
    """The statement that stores, changed so that it stores no graph."""
    if store is None or kept is None or kept.behind:
        return _in_words(kept, store)
    code = without_graph(kept, store)
    if code is None:
        return _in_words(kept, store)
    verb = "Add" if store.how == "augment" and not kept.kinds else "Store"
    more = "" if ".item()" in code or not kept.scalar else "; `.item()` makes it a plain number"
    return f"{verb} it without its graph: `{code}`{more}."


def _in_words(kept: Kept | None, store: Store | None) -> str:
    """Where no statement can be put together."""
    what = f"`{kept.expression}`" if kept else "it"
    if kept is not None and kept.behind and store is not None:
        return _for_what_lies_behind(kept, store)
    last = kept.labels[-1] if kept and kept.labels else ""
    inner = f": detach its `{last}`" if last.startswith(".") else ""
    return (
        f"Let {what} keep numbers instead of tensors with a graph{inner}: "
        "x.item() for a scalar, x.detach() for a tensor."
    )


def _for_what_lies_behind(kept: Kept, store: Store) -> str:
    """An exception keeps the frames of its traceback: keep its text, or drop the traceback."""
    call = put_call(store)
    if call is not None and call.args and "traceback" in kept.via:
        value = call.args[-1]
        text = ast.unparse(value)
        if isinstance(value, ast.Name):
            plain = ast.parse(f"{text}.with_traceback(None)", mode="eval").body
            code = replaced(store.node, value, plain)
            return f"Keep it without its traceback: `{code}`; or keep its text, `str({text})`."
    return (
        f"Let `{kept.expression}` keep no object that holds on to tensors with a graph: "
        "keep numbers (x.item()) or detached tensors."
    )


def without_graph(kept: Kept, store: Store) -> str | None:
    """The statement, storing no graph; None if it is not to be told how."""
    if kept.hidden:
        return None
    change: Change = detached
    if store.how == "augment" or (store.accumulates and store.how == "assign"):
        lone = kept.scalar and not kept.kinds and not kept.labels
        plain = lone and not uses_of_tensor(store.file, kept.name)
        change = number if plain else detached
    if store.how in ("assign", "augment", "bind"):
        return _assigned(kept, store, change)
    return _put(kept, store, change)


def inner_labels(kept: Kept, store: Store, *, put: bool) -> tuple[str, ...]:
    """The way from the value that is stored on to the tensor in it."""
    keys = store.target.count("[") + store.target.count("setdefault(") - kept.own_keys
    return kept.labels[max(keys, 0) + put :]


_KEEPING = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def _assigned(kept: Kept, store: Store, change: Change) -> str | None:
    node = store.node
    value = getattr(node, "value", None)
    if not isinstance(node, _KEEPING) or value is None:
        return None
    if isinstance(node, ast.Assign) and _unpacks(node):
        return None
    if isinstance(node, ast.AugAssign) and kept.kinds[:1] == ("dict",):
        new = part(value, kept.labels, change)
    elif _is_slice(node) or (isinstance(node, ast.AugAssign) and kept.kinds):
        new = _extended(value, kept.labels[1:], change)
    elif isinstance(node, ast.AugAssign):
        new = change(value)
    elif change is number:
        new = _accumulated(value, store.target) or detached(value)
    else:
        new = part(value, inner_labels(kept, store, put=False), change)
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
            parts = [_accumulated(argument, target) for argument in arguments]
            found = [each for each in parts if each is not None]
            return ast.Call(value.func, found, []) if len(found) == len(parts) else None
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


def _extended(value: ast.expr, labels: tuple[str, ...], change: Change) -> ast.expr | None:
    """`history += [loss]`, and `extend([loss])`."""
    if isinstance(value, ast.List | ast.Tuple):
        parts = [part(element, labels, change) for element in value.elts]
        if all(new is not None for new in parts):
            elements = [new for new in parts if new is not None]
            return type(value)(elts=elements, ctx=ast.Load())
        return None
    if labels:
        return None
    each = ast.unparse(change(ast.Name("t", ast.Load())))
    return ast.parse(f"[{each} for t in {ast.unparse(value)}]", mode="eval").body


def _put(kept: Kept, store: Store, change: Change) -> str | None:
    """The call that adds, with what it adds detached."""
    call = put_call(store)
    if call is None:
        return None
    if store.how == "update" and len(call.args) == 1 and not call.keywords:
        new = part(call.args[0], kept.labels, change)
        return replaced(store.node, call.args[0], new) if new is not None else None
    if store.how in ("extend", "extendleft") and call.args:
        new = _extended(call.args[0], inner_labels(kept, store, put=True), change)
        return replaced(store.node, call.args[0], new) if new is not None else None
    values = [*(k.value for k in call.keywords), *call.args]
    if not values:
        return None
    value = values[-1]
    new = part(value, inner_labels(kept, store, put=True), change)
    return replaced(store.node, value, new) if new is not None else None


def bound(kept: Kept, count: int) -> str:
    """For a container that only grows, with no graph in it."""
    return (
        f"Bound `{kept.expression}` ({count:,} elements by now): keep numbers instead of "
        "tensors, drop what is old (deque(maxlen=...)), or write it to disk."
    )


def clear_gradients(code: str | None) -> str:
    """For gradients with a graph that leads back to their parameter."""
    named = f" in place of `{code}`" if code and len(code) < 60 else ""
    return (
        f"Use torch.autograd.grad(..., create_graph=True){named}, which leaves nothing in .grad; "
        "or set `p.grad = None` on every parameter after its use."
    )


def break_the_cycle(name: str) -> str:
    """For a hook that keeps the tensor it hangs on."""
    return (
        f"Let the hook capture no tensor with a graph: `{name} = {name}.detach()` under another "
        "name before it is defined, or remove the hook (handle.remove()) after the backward."
    )
