"""For `itertools.accumulate`, each of whose totals goes on from the one before. Pure."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.rewriting import detached, replaced
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.targets import drawing


def accumulating(store: Store) -> ast.Call | None:
    """The call of it in the statement, if there is one: of a loop, that its target goes through."""
    loop = store.node if isinstance(store.node, ast.For) else None
    for node in ast.walk(loop.iter if loop is not None else store.node):
        if isinstance(node, ast.Call) and called(node) == "accumulate" and node.args:
            drawn = drawing(loop.target, loop.iter, node) if loop is not None else None
            if drawn is None or ast.unparse(drawn) == store.target:
                return node
    return None


def is_drawn_so(store: Store) -> bool:
    """Whether it is a loop over them."""
    return isinstance(store.node, ast.For) and accumulating(store) is not None


def without_the_total_before(store: Store, call: ast.Call) -> str:
    """The call, with a function that lets go of the total's graph before it adds to it."""
    given = {each.arg: each.value for each in call.keywords}
    function = call.args[1] if len(call.args) > 1 else given.get("func")
    total, x = ast.Name("total"), ast.Name("x")
    value: ast.expr = ast.BinOp(detached(total), ast.Add(), x)
    if function is not None and not _is_nothing(function):
        value = ast.Call(function, [detached(total), x], [])
    names = [ast.arg(name.id) for name in (total, x)]
    takes = ast.arguments(posonlyargs=[], args=names, kwonlyargs=[], kw_defaults=[], defaults=[])
    adding = ast.Lambda(takes, value)
    keywords = [each for each in call.keywords if each.arg != "func"]
    code = replaced(store.node, call, ast.Call(call.func, [call.args[0], adding], keywords))
    return f"Let each total go on from the one before without its graph: `{code}`."


def _is_nothing(function: ast.expr) -> bool:
    return isinstance(function, ast.Constant) and function.value is None
