"""Whether the attributes of a class can be given anything once its objects are made. Pure but for
reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from gradwatch_agent.source.reading import called
from gradwatch_agent.source.text import tree


def is_frozen(classes: Collection[str], files: Iterable[str]) -> bool:
    """Whether one of them is a dataclass that is frozen."""
    modules = (module for file in files if (module := tree(file)) is not None)
    return any(
        isinstance(node, ast.ClassDef)
        and node.name in classes
        and any(_freezes(decorator) for decorator in node.decorator_list)
        for module in modules
        for node in ast.walk(module)
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
