"""What to write instead, in the user's own names. Pure: from a statement to a sentence."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gradwatch_agent.statements import Store, reads


@dataclass(frozen=True, slots=True)
class Holder:
    """What keeps a graph: its expression where it lives, and what kind of thing it is."""

    expression: str
    container: str = ""
    """The kind of container, if it is one: "list", "tuple", ..."""


def cut_the_chain(holder: Holder | None, store: Store | None) -> str:
    """For a tensor that one iteration hands to the next with its graph."""
    if store is not None and store.how not in ("assign", "augment"):
        return f"Store it without its graph: {_detached_argument(store)}."
    if store is not None and _plainly_assigns(store):
        return (
            f"Store it without its graph: {_detached_value(store)}; "
            "or build it anew inside the loop."
        )
    if holder is None:
        return (
            "Detach what one iteration hands to the next (x = x.detach()), "
            "or build it anew inside the loop."
        )
    name = _target(store, holder)
    return (
        f"Start each iteration from a detached one: {_detached_name(name, holder)}; "
        "or build it anew inside the loop."
    )


def let_go(holder: Holder | None, store: Store | None) -> str:
    """For something that keeps spent graphs alive."""
    if store is None:
        what = f"`{holder.expression}`" if holder else "it"
        return (
            f"Let {what} keep numbers instead of tensors with a graph: "
            "x.item() for a scalar, x.detach() for a tensor."
        )
    if store.how == "augment" and isinstance(store.node, ast.AugAssign):
        target, value = ast.unparse(store.node.target), ast.unparse(store.node.value)
        name = ast.unparse(_with_detach(store.node.value))
        sign = _SIGNS.get(type(store.node.op), "+=")
        plain = (
            f", or `{target} {sign} {value}.item()` for a plain number" if _simple(value) else ""
        )
        return f"Add it without its graph: `{target} {sign} {name}`{plain}."
    if store.how == "assign":
        return f"Store it without its graph: {_detached_value(store)}."
    return f"Store it without its graph: {_detached_argument(store)}."


def bound(holder: Holder, count: int) -> str:
    """For a container that only grows, with no graph in it."""
    return (
        f"Bound `{holder.expression}` ({count:,} elements by now): keep numbers instead of "
        "tensors, drop what is old (deque(maxlen=...)), or write it to disk."
    )


_SIGNS = {ast.Add: "+=", ast.Sub: "-=", ast.Mult: "*="}


def _simple(text: str) -> bool:
    return text.replace(".", "").replace("_", "").isalnum()


def _target(store: Store | None, holder: Holder) -> str:
    """The name as the storing statement spells it (self.state), else the holder's own."""
    if store is None:
        return holder.expression
    last = holder.expression.rpartition(".")[2]
    for part in ast.walk(store.node):
        stored = isinstance(part, ast.Name | ast.Attribute) and isinstance(part.ctx, ast.Store)
        if stored and ast.unparse(part).rpartition(".")[2] == last:
            return ast.unparse(part)
    return holder.expression


def _detached_name(name: str, holder: Holder) -> str:
    if holder.container in ("tuple", "list"):
        return f"`{name} = {holder.container}(t.detach() for t in {name})`"
    return f"`{name} = {name}.detach()`"


def _plainly_assigns(store: Store) -> bool:
    """Whether it is `target = value` with a single target that the value does not read."""
    node = store.node
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return False
    target = node.targets[0]
    if not isinstance(target, ast.Name | ast.Attribute):
        return False
    return ast.unparse(target) not in reads(node.value)


def _detached_value(store: Store) -> str:
    """The assignment with its value detached."""
    node = store.node
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return f"`{store.code}`, with .detach()"
    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
    if isinstance(target, ast.Tuple):
        return f"detach what `{store.code}` stores"
    return f"`{ast.unparse(target)} = {ast.unparse(_with_detach(node.value))}`"


def _detached_argument(store: Store) -> str:
    """The call that adds, with what it adds detached."""
    for call in ast.walk(store.node):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr == store.how and call.args:
            arguments = [*call.args[:-1], _with_detach(call.args[-1])]
            inside = ", ".join(ast.unparse(argument) for argument in arguments)
            return f"`{ast.unparse(call.func)}({inside})`"
    return f"`{store.code}`, with .detach()"


def _with_detach(value: ast.expr) -> ast.expr:
    """The expression, detached; of a tuple or dict, each of its parts."""
    if isinstance(value, ast.Constant):
        return value
    if isinstance(value, ast.Tuple | ast.List):
        parts = [_with_detach(part) for part in value.elts]
        return type(value)(elts=parts, ctx=ast.Load())
    if isinstance(value, ast.Dict):
        return ast.Dict(keys=value.keys, values=[_with_detach(part) for part in value.values])
    return ast.Call(
        func=ast.Attribute(value=value, attr="detach", ctx=ast.Load()), args=[], keywords=[]
    )
