"""What torch's own cache of parametrized weights remembers: `with parametrize.cached():` around
several iterations. No name of the user's leads there.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import replace
from typing import Final

from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.lines.sites import call_sites
from gradwatch_agent.naming import own_files
from gradwatch_agent.naming.frames import waiting
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import statements_of
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.torch_seam import Node, graph_of
from gradwatch_agent.verdicts.case import Answer

_CACHED: Final = "cached"
_WITH: Final = (ast.With, ast.AsyncWith)


def of_parametrizations(stale: Node | None) -> Answer | None:
    """The answer, if that is what carries the node."""
    module = sys.modules.get("torch.nn.utils.parametrize")
    cache = getattr(module, "_cache", {})
    kept = (graph_of(each) for each in list(cache.values()) if each is not None)
    if stale is None or not any(node is stale for node in kept):
        return None
    answer = Answer(holder="parametrize._cache", suggestion=_advice("parametrize.cached()"))
    calls = ((file, call.lineno) for file, call in calls_of(_CACHED, own_files()))
    begun = [(f, each) for f, line in calls if (each := statement_at(f, line)) is not None]
    entered = [each for each in begun if _runs(*each)]
    found = entered or [each for each in begun if not isinstance(each[1], _WITH)]
    if len(found) != 1:
        return answer
    said = next(ast.unparse(each) for each in ast.walk(found[0][1]) if _is_call(each))
    answer = replace(answer, suggestion=_advice(said))
    file, statement = found[0][0], _entering(*found[0])
    return at_line(answer, file, statement.lineno, code_of(file, statement))


def _advice(call: str) -> str:
    return (
        "What it remembers belongs to the iteration that computed it: enter it anew in each one, "
        f"`with {call}:` around the forward."
    )


def _is_call(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and called(node) == _CACHED


def _entering(file: str, statement: ast.stmt) -> ast.stmt:
    """Of `scope = parametrize.cached()`, where the same function calls `scope.__enter__()`."""
    for target in statement.targets if isinstance(statement, ast.Assign) else ():
        enters = f"{ast.unparse(target)}.__enter__()"
        for each in statements_of(file, statement.lineno):
            if each.lineno > statement.lineno and ast.unparse(each) == enters:
                return each
    return statement


def _runs(file: str, statement: ast.stmt) -> bool:
    """Whether it is a with-statement within which the program is now, or a generator waits: the
    inside of a context manager of the user's own.
    """
    span = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    lines = [(site.file, site.line) for site in call_sites(sys._getframe())]  # noqa: SLF001
    lines += [(frame.f_code.co_filename, frame.f_lineno) for frame in waiting()]
    return isinstance(statement, _WITH) and any(f == file and line in span for f, line in lines)
