"""Whether the attributes of a class can be given anything once its objects are made. Pure but for
reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from functools import lru_cache

from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.text import mentions, nodes


def is_frozen(classes: Collection[str], files: Iterable[str]) -> bool:
    """Whether one of them is a dataclass that is frozen."""
    return any(not _frozen_in(file).isdisjoint(classes) for file in files)


@lru_cache(maxsize=512)
def _frozen_in(file: str) -> frozenset[str]:
    return frozenset(
        node.name
        for node in (nodes(file) if mentions(file, "frozen") else ())
        if isinstance(node, ast.ClassDef) and any(map(_freezes, node.decorator_list))
    )


def _freezes(decorator: ast.expr) -> bool:
    """`@dataclass(frozen=True)`."""
    return (
        isinstance(decorator, ast.Call)
        and called(decorator) == "dataclass"
        and any(
            keyword.arg == "frozen" and ast.unparse(keyword.value) == "True"
            for keyword in decorator.keywords
        )
    )


def replacing(files: Iterable[str]) -> str | None:
    """By which name they know `dataclasses.replace`; None if by none."""
    imports = (node for file in files if mentions(file, "dataclasses") for node in nodes(file))
    return next(filter(None, map(_brings, imports)), None)


def _brings(node: ast.AST) -> str | None:
    """What a statement of import gives it as."""
    if isinstance(node, ast.ImportFrom) and node.module == "dataclasses":
        given = (one.asname or one.name for one in node.names if one.name == "replace")
        return next(given, None)
    if isinstance(node, ast.Import):
        given = (one.asname or one.name for one in node.names if one.name == "dataclasses")
        return next((f"{name}.replace" for name in given), None)
    return None
