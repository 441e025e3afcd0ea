"""For `itertools.accumulate`, each of whose totals goes on from the one before. Pure."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.rewriting import detached, replaced
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import called


def accumulating(store: Store) -> ast.Call | None:
    """The call of it in the statement, if there is one."""
    calls = (node for node in ast.walk(store.node) if isinstance(node, ast.Call))
    return next((call for call in calls if called(call) == "accumulate" and call.args), None)


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
