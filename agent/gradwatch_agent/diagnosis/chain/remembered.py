"""What torch's own caches remember: parametrized weights, `with parametrize.cached():` around
several iterations, and autocast's copies of weights. No name of the user's leads there.
"""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass, replace
from typing import Final

import torch

from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.lines.sites import call_sites
from gradwatch_agent.naming import own_files
from gradwatch_agent.naming.frames import waiting
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.syntax.statements import statements_of
from gradwatch_agent.source.syntax.text import code_of, nodes, statement_at
from gradwatch_agent.torch_seam import LEAF, Node, edges, graph_of, sequence_of
from gradwatch_agent.verdicts.case import Answer

_WITH: Final = (ast.With, ast.AsyncWith)
_DECORATED: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_LASTING: Final = (*_WITH, *_DECORATED)
"""What may last for several iterations."""


@dataclass(frozen=True, slots=True)
class _Cache:
    """One of torch's, which lasts as long as a context that a call gives."""

    holder: str
    call: str
    """The name of what is called."""
    written: str
    """The call, where the user's own is not found."""
    why: str

    def advice(self, call: str) -> str:
        return f"{self.why} enter it anew in each iteration, `with {call}:` around the forward."


_PARAMETRIZED: Final = _Cache(
    "parametrize._cache",
    "cached",
    "parametrize.cached()",
    "What it remembers belongs to the iteration that computed it:",
)
_CAST: Final = _Cache(
    "torch.autocast",
    "autocast",
    "torch.autocast(...)",
    "While it lasts, it goes on using the copies of the weights that it made at first, whatever "
    "the optimizer has done since:",
)


def of_torchs_caches(stale: Node | None, *, named: bool) -> Answer | None:
    """The answer, if one of them is what carries the node. `named`: a name leads to what it made,
    and not to what was made of that.
    """
    if stale is None:
        return None
    if _is_parametrized(stale):
        return _answer(_PARAMETRIZED)
    return _answer(_CAST) if not named and _is_cast(stale) else None


def _is_parametrized(stale: Node) -> bool:
    cache = getattr(sys.modules.get("torch.nn.utils.parametrize"), "_cache", {})
    return any(graph_of(each) is stale for each in list(cache.values()) if each is not None)


def _is_cast(stale: Node) -> bool:
    """Whether it gives a leaf another type, while autocast remembers what it makes of leaves: that
    cache can be asked for nothing.
    """
    below = list(edges(stale))
    if stale.name() != "ToCopyBackward0" or not below or sequence_of(below[0]) < LEAF:
        return False
    leaf = getattr(below[0], "variable", None)
    if leaf is None or not torch.is_autocast_cache_enabled():
        return False
    return torch.is_autocast_enabled(leaf.device.type)


def _answer(cache: _Cache) -> Answer:
    advice = cache.advice(cache.written)
    answer = Answer(holder=cache.holder, suggestion=advice, always=True)
    every = [(file, call, _around(file, call)) for file, call in calls_of(cache.call, own_files())]
    entered = [each for each in every if isinstance(each[2], _LASTING) and _runs(each[0], each[2])]
    found = entered or [each for each in every if not isinstance(each[2], _LASTING)]
    if len(found) != 1:
        return answer
    file, call, statement = found[0]
    said = ast.unparse(call)
    answer = replace(answer, suggestion=cache.advice(said))
    if isinstance(statement, _DECORATED):
        return at_line(answer, file, call.lineno, f"@{said}")
    statement = _entering(file, statement)
    return at_line(answer, file, statement.lineno, code_of(file, statement))


def _around(file: str, call: ast.Call) -> ast.stmt:
    """The statement that makes the call; of a decorator, the function."""
    decorated = (each for each in nodes(file) if isinstance(each, _DECORATED))
    found = next((each for each in decorated if call in each.decorator_list), None)
    return found or statement_at(file, call.lineno) or ast.Pass()


def _entering(file: str, statement: ast.stmt) -> ast.stmt:
    """Of `scope = parametrize.cached()`, where it is entered."""
    for target in statement.targets if isinstance(statement, ast.Assign) else ():
        name = ast.unparse(target)
        for each in statements_of(file, statement.lineno):
            if each.lineno > statement.lineno and ast.unparse(each) == f"{name}.__enter__()":
                return each
        scopes = (node for node in nodes(file) if isinstance(node, _WITH) and _runs(file, node))
        for scope in scopes:
            if any(ast.unparse(item.context_expr) == name for item in scope.items):
                return scope
    return statement


def _runs(file: str, statement: ast.stmt) -> bool:
    """Whether the program is now within it, or a generator waits there: the inside of a context
    manager of the user's own.
    """
    span = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    lines = [(site.file, site.line) for site in call_sites(sys._getframe())]  # noqa: SLF001
    lines += [(frame.f_code.co_filename, frame.f_lineno) for frame in waiting()]
    return any(f == file and line in span for f, line in lines)
