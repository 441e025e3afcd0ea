"""How a file speaks of a container: by its name; or, where it lies in another one, as an element of
what has the name: `self.rows[key]`, `row = self.rows.setdefault(key, [])`, `for row in
self.rows.values()`. Pure but for reading.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gradwatch_agent.naming import Path
from gradwatch_agent.source.flow.drawing import elements_of, is_element
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import last_name


@dataclass(frozen=True, slots=True)
class Spelled:
    """A container, as a file knows it."""

    name: str
    """The last variable or attribute on the way to it."""
    file: str
    within: bool = False
    """Whether it is an element of what has that name."""


def spelled(path: Path, file: str) -> Spelled:
    """The container that the path leads to."""
    labels = (step.label for step in path.back() if step.label)
    return Spelled(path.name, file, next(labels, "")[:1] == "[")


def is_it(part: ast.AST, it: Spelled) -> bool:
    """Whether the expression is the container."""
    return _is_within(part, it) if it.within else _is_named(part, it.name)


def is_into(store: Store, it: Spelled) -> bool:
    """Whether the statement may store into that very container: not into one of its elements, nor
    what it is an element of itself.
    """
    target = ast.parse(store.target.removeprefix("*"), mode="eval").body
    if store.how in ("assign", "augment", "bind") and isinstance(target, ast.Subscript):
        target = target.value
    for part in ast.walk(target):
        ast.copy_location(part, store.node)
    other = Spelled(it.name, store.file, not it.within)
    return not is_it(target, other)


def _is_named(part: ast.AST, name: str) -> bool:
    return last_name(part) == name


def _is_within(part: ast.AST, it: Spelled) -> bool:
    if isinstance(part, ast.Name):
        return is_element(it.file, part.lineno, part.id, it.name)
    whole = elements_of(part)
    return whole is not None and (_is_named(whole, it.name) or _is_within(whole, it))
