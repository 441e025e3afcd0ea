"""What runs when a `with` is left: of a generator that it enters, what follows the yield.

Pure but for reading.
"""

from __future__ import annotations

import ast
from typing import Final

from gradwatch_agent.source.syntax.text import statement_at

BLOCKS = (ast.With, ast.AsyncWith)

ENTERING: Final = ("__enter__", "__aenter__")

LEAVING: Final = ("__exit__", "__aexit__")


def runs_at(file: str, call: ast.Call, function: ast.AST, line: int) -> int:
    """The line of the caller's at which that line of the function runs: where it is called, or,
    where a `with` enters it there, where that is left.
    """
    block = statement_at(file, call.lineno)
    if isinstance(block, BLOCKS) and any(item.context_expr is call for item in block.items):
        gone_on = (node.lineno for node in ast.walk(function) if isinstance(node, ast.Yield))
        return (block.end_lineno or line) if line > min(gone_on, default=line) else block.lineno
    return call.lineno
