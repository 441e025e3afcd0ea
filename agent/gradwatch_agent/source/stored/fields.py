"""The fields of a record's class, as its body names them. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gradwatch_agent.source.syntax.text import mentions, nodes


def place_in(kind: str, field: str, files: Iterable[str]) -> int:
    """Where the field stands among those; -1 where it does not."""
    names = fields_of(kind, files)
    return names.index(field) if field in names else -1


def fields_of(kind: str, files: Iterable[str]) -> tuple[str, ...]:
    """Those that the class's body names, in their order, as a dataclass's does."""
    for file in files:
        for node in nodes(file) if mentions(file, kind) else ():
            if isinstance(node, ast.ClassDef) and node.name == kind:
                named = [s.target for s in node.body if isinstance(s, ast.AnnAssign)]
                return tuple(each.id for each in named if isinstance(each, ast.Name))
    return ()
