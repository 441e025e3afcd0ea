"""When in a round what one iteration hands to the next is cut: ahead of it, once its backward is
done, or where it goes on. Pure.
"""

from __future__ import annotations

import ast

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.storing import is_at_store
from gradwatch_agent.source.flow.loops import loops_at, yields_now_and_then
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.statements import body_around

START = "At the start of each iteration: "
GO_ON = "Once backward is done: "
"""Of what is no tensor yet when the first iteration starts."""

END = "At the end of each iteration: "
"""Of what is none when the first backward is done, either."""

ONWARD = "Let it go on without its graph: "


def is_of_one_statement(advice: str | None) -> bool:
    """Whether it is to change the one statement that stores, or by which the thing goes on."""
    onward = advice is not None and advice.startswith(ONWARD) and advice.count("`") == len("``")
    return onward or is_at_store(advice)


def at_its_time(kept: Kept, code: str, *, last: bool) -> str:
    """The code, and when to run it. `last`: what is stored comes behind the last backward."""
    if not (kept.empty or kept.needed):
        return f"{START}`{code}`."
    when = END if last else GO_ON
    return f"{when}`{_if_there_is_one(code) if kept.late else code}`."


def behind_its_yield(store: Store, code: str) -> str | None:
    """The same for what a generator carries on, of which one iteration takes several rounds."""
    body = body_around(store.file, store.line)
    around = loops_at(body, store.line) if body is not None else []
    handing = yields_now_and_then(around[-1]) if around else None
    return f"Behind the `yield` in line {handing.lineno}: `{code}`." if handing else None


def _if_there_is_one(code: str) -> str:
    """The assignments, where there may be nothing yet: each leaves nothing as it is."""
    tree = ast.parse(code)
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            name = ast.unparse(statement.targets[0])
            test = ast.parse(f"{name} is None", mode="eval").body
            statement.value = ast.IfExp(test, ast.Constant(None), statement.value)
    return "; ".join(map(ast.unparse, tree.body))
