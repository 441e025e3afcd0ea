"""For what each iteration should build or begin anew. Pure but for reading."""

from __future__ import annotations

import ast
from typing import Final

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import detached, is_bare, number, replaced
from gradwatch_agent.advice.whole import whole_detached
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.comments import without_comment
from gradwatch_agent.source.syntax.reading import reads

_ANEW: Final = "anew in each iteration: its graph is gone after the first backward."


def added_to_it(kept: Kept, store: Store) -> ast.expr | None:
    """What the statement adds to a sum on which backward is called."""
    if not kept.scalar or kept.kinds or not store.adds_to_itself:
        return None
    calls = (call for _, call in calls_of("backward", [store.file]))
    summed = (each.func.value for each in calls if isinstance(each.func, ast.Attribute))
    if all(ast.unparse(each) != store.target for each in summed):
        return None
    match store.node:
        case ast.AugAssign(value=value):
            return value
        case ast.Assign(value=ast.BinOp(left=left, right=right)):
            return left if ast.unparse(right) == store.target else right
    return None


def start_anew(store: Store, added: ast.expr) -> str:
    """For a sum, and what is added to it."""
    advice = f"Start `{store.target}` anew in each iteration, ahead of what is added to it"
    if not is_bare(added):
        return f"{advice}."
    code = replaced(store.node, added, number(added))
    return (
        f"{advice}; or, if it is but a record, add a number, `{code}`, and call "
        f"`{ast.unparse(added)}.backward()`."
    )


def build_anew(kept: Kept, store: Store, code: str | None) -> str:
    """For what is built once, ahead of the loop that walks it again and again. A statement that
    was given a graph, its own earlier value maybe (`x = x / x.std()`), cannot be moved alone.
    `code`: the statement that stores, without a graph.
    """
    if code is None and not kept.by_attributes:
        code = _called_and_detached(store)
    value = getattr(store.node, "value", None)
    if kept.constant:
        cut = code or whole_detached(kept, store)
        return f"Detach it ahead of the loop, for {kept.constant}: `{cut}`."
    cut = f": `{code}`" if code is not None else ""
    which = "what it is made of" if kept.by_attributes else "it"
    constant = f"Or, if it is a constant here, detach {which}{cut}."
    if kept.deeper or (value is not None and store.target in reads(value)):
        return f"Compute `{store.target}`, all of it, {_ANEW} {constant}"
    return f"{move_it(store)} {constant}"


def move_it(store: Store) -> str:
    """For what is built by a statement that runs once."""
    moved = without_comment(store.code)
    return f"Build `{store.target}` {_ANEW} Move `{moved}` to where it is used."


def _called_and_detached(store: Store) -> str | None:
    """`q = critic(state).detach()`."""
    match store.node:
        case ast.Assign(
            targets=[ast.Name() | ast.Attribute()], value=ast.Call() | ast.Subscript() as value
        ):
            return replaced(store.node, value, detached(value))
    return None
