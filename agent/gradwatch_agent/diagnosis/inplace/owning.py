"""Which statement steps a weight, where no steps were heard: by the names of its optimizers, and by
the source.
"""

from __future__ import annotations

import ast
import sys

import torch

from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Found, Path, own_files, search
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.syntax.reading import base


class _Owners(Found):
    """The names of the optimizers that have a weight."""

    def __init__(self, weight: torch.Tensor) -> None:
        self._weight = weight
        self.paths: list[Path] = []

    def tensor(self, tensor: torch.Tensor, path: Path) -> None:
        if tensor is self._weight:
            groups = [step for step in path.back() if step.label == ".param_groups"]
            self.paths += [step.parent for step in groups if step.parent is not None]


def steps_of(weight: torch.Tensor) -> list[Site] | None:
    """The statements that step an optimizer of the weight's; None if no name leads to one."""
    owners = _Owners(weight)
    aliases = search(owners, sys._getframe())  # noqa: SLF001
    if not owners.paths:
        return None
    known = [each for path in owners.paths for each in (path, *aliases.get(path.expression, []))]
    names = {path.name for path in known}
    found = {
        (file, call.lineno)
        for file, call in calls_of("step", own_files())
        if isinstance(call.func, ast.Attribute) and _last(call.func.value) in names
    }
    return [Site(file, line, "") for file, line in sorted(found)]


def _last(owner: ast.expr) -> str:
    """The last variable or attribute of an expression."""
    inner = base(owner)
    if isinstance(inner, ast.Attribute):
        return inner.attr
    return inner.id if isinstance(inner, ast.Name) else ""
