"""Whether a list is made anew as a whole, again and again, and nobody adds to it in between: what
it holds goes with it. Must not know graphs.
"""

from __future__ import annotations

import ast
from typing import Final

from gradwatch_agent.diagnosis.place.stored import candidates
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.once import runs_once
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import reads

_WHOLE: Final = (ast.ListComp, ast.SetComp, ast.DictComp)


def is_replaced(path: Path) -> bool:
    """Of the outermost container on the way. Not where one is made of what the last one held."""
    whole = next((step for step in reversed(list(path.back())) if step.container), None)
    stored = candidates(whole) if whole is not None else []
    if not stored or not all(map(_makes, stored)):
        return False
    files = own_files()
    return any(not each.fresh and not runs_once(each.file, each.line, files) for each in stored)


def _makes(store: Store) -> bool:
    """Whether the statement gives it a new one, of nothing that it held."""
    value = getattr(store.node, "value", None)
    if store.how != "assign" or "[" in store.target or not isinstance(value, ast.expr):
        return False
    new = store.fresh or isinstance(value, _WHOLE)
    return new and store.target not in set(reads(value))
