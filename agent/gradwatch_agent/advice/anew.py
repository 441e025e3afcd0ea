"""For what each iteration should build or begin anew. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import detached, is_bare, number, replaced
from gradwatch_agent.advice.whole import whole_detached
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.conditions import conditions
from gradwatch_agent.source.flow.containing import given_to
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.comments import without_comment
from gradwatch_agent.source.syntax.reading import reads
from gradwatch_agent.source.syntax.statements import body_around, statements_of

_GONE: Final = ": its graph is gone after the first backward"


def added_to_it(kept: Kept, store: Store) -> ast.expr | None:
    """What the statement adds to a sum on which backward is called."""
    if not kept.scalar or kept.kinds or not store.adds_to_itself or not any(_walks(store)):
        return None
    match store.node:
        case ast.AugAssign(value=value):
            return value
        case ast.Assign(value=ast.BinOp(left=left, right=right)):
            return left if ast.unparse(right) == store.target else right
    return None


def _walks(store: Store) -> Iterator[ast.Call]:
    """The backwards of what the statement stores, be it by a factor."""
    for _, call in calls_of("backward", [store.file]):
        whose = call.func.value if isinstance(call.func, ast.Attribute) else None
        given = given_to(whose, store.file) if isinstance(whose, ast.Name) else []
        if whose is not None and any(_is_share(each, store.target) for each in (whose, *given)):
            yield call


def _is_share(value: ast.expr, target: str) -> bool:
    """`total`, `total / steps`, `0.5 * total`."""
    match value:
        case ast.BinOp(left=left, op=ast.Div()):
            return _is_share(left, target)
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            return _is_share(left, target) or _is_share(right, target)
    return ast.unparse(value) == target


def start_anew(store: Store, added: ast.expr) -> str:
    """For a sum, and what is added to it."""
    if _is_walked_now_and_then(store):
        read = ", and nothing reads it any more" if _is_read_after(store) else ""
        return f"Start `{store.target}` anew once its backward is done{read}: `{store.target} = 0`."
    advice = f"Start `{store.target}` anew in each iteration, ahead of what is added to it"
    if not is_bare(added):
        return f"{advice}."
    code = replaced(store.node, added, number(added))
    return (
        f"{advice}; or, if it is but a record, add a number, `{code}`, and call "
        f"`{ast.unparse(added)}.backward()`."
    )


def _is_read_after(store: Store) -> bool:
    """Whether its function reads it behind the backward."""
    walks = [each.lineno for each in _walks(store)]
    every = statements_of(store.file, store.line)
    behind = (each for each in every if walks and each.lineno > max(walks))
    return any(store.target in reads(each) for each in behind)


def _is_walked_now_and_then(store: Store) -> bool:
    """Whether the same function adds more often than it walks, as over several small batches; or
    another one walks, whenever it is called.
    """
    body, walks = body_around(store.file, store.line), list(_walks(store))
    walks = [each for each in walks if body_around(store.file, each.lineno) is body] or walks
    if all(body_around(store.file, each.lineno) is not body for each in walks):
        return True
    here = {ast.unparse(test) for test, _ in conditions(store.file, store.line)}
    return all(
        any(
            ast.unparse(test) not in here and store.target not in reads(test)
            for test, _ in conditions(store.file, each.lineno)
        )
        for each in walks
    )


def build_anew(kept: Kept, store: Store, code: str | None) -> str:
    """For what is built once, ahead of the loop that walks it again and again. A statement that
    was given a graph, its own earlier value maybe (`x = x / x.std()`), cannot be moved alone.
    `code`: the statement that stores, without a graph.
    """
    if code is None and not kept.by_attributes and not kept.kinds:
        code = _called_and_detached(store)
    value = getattr(store.node, "value", None)
    if kept.constant:
        cut = code or whole_detached(kept, store)
        return f"Detach it ahead of the loop, for {kept.constant}: `{cut}`."
    if kept.alone_teaches:
        return move_it(store, freed=kept.freed)
    which = "what it is made of" if kept.by_attributes else "it"
    if code is None and kept.kinds:
        code = whole_detached(kept, store)
    cut = f": `{code}`" if code is not None else ""
    constant = f"Or, if it is a constant here, detach {which}{cut}."
    if kept.deeper or (value is not None and store.target in reads(value)):
        gone = _GONE if kept.freed else ""
        return f"Compute `{store.target}`, all of it, anew in each iteration{gone}. {constant}"
    return f"{move_it(store, freed=kept.freed)} {constant}"


def move_it(store: Store, *, freed: bool = True) -> str:
    """For what is built by a statement that runs once."""
    code, gone = without_comment(store.code), _GONE if freed else ""
    moved = ast.unparse(store.node) if code.startswith("def ") else code  # all in one line
    return (
        f"Build `{store.target}` anew in each iteration{gone}. Move `{moved}` to where it is used."
    )


def _called_and_detached(store: Store) -> str | None:
    """`q = critic(state).detach()`."""
    match store.node:
        case ast.Assign(
            targets=[ast.Name() | ast.Attribute()],
            value=ast.Call() | ast.Subscript() | ast.BinOp() as value,
        ):
            return replaced(store.node, value, detached(value))
    return None
