"""What torch's own cache of parametrized weights remembers: `with parametrize.cached():` around
several iterations. No name of the user's leads there.
"""

from __future__ import annotations

import ast
import sys
from typing import Final

from gradwatch_agent.diagnosis.answering import at_line
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.calls import nodes_with
from gradwatch_agent.source.reading import called
from gradwatch_agent.source.text import code_of
from gradwatch_agent.torch_seam import Node, graph_of
from gradwatch_agent.verdicts.case import Answer

_CACHED: Final = "cached"


def of_parametrizations(stale: Node | None) -> Answer | None:
    """The answer, if that is what carries the node."""
    module = sys.modules.get("torch.nn.utils.parametrize")
    cache = getattr(module, "_cache", {})
    kept = (graph_of(each) for each in list(cache.values()) if each is not None)
    if stale is None or not any(node is stale for node in kept):
        return None
    advice = (
        "What it remembers belongs to the iteration that computed it: enter it anew in each one, "
        "`with parametrize.cached():` around the forward."
    )
    answer = Answer(holder="parametrize._cache", suggestion=advice)
    entered = [
        (file, node)
        for file, node in nodes_with(_CACHED, own_files())
        if isinstance(node, ast.With | ast.AsyncWith) and any(map(_is_it, node.items))
    ]
    if len(entered) != 1:
        return answer
    ((file, statement),) = entered
    return at_line(answer, file, statement.lineno, code_of(file, statement))


def _is_it(item: ast.withitem) -> bool:
    call = item.context_expr
    return isinstance(call, ast.Call) and called(call) == _CACHED
