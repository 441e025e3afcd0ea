"""Whether a program clears gradients where torch cannot see it: by their `.data`.

A change of `p.grad` raises its version; one of `p.grad.data`, as older code writes, does not.
Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.flow.calls import nodes_with
from gradwatch_agent.source.syntax.reading import called

_CLEARING: Final = ("zero_", "fill_", "_foreach_zero_")
_ZEROS: Final = ("zeros", "zeros_like", "new_zeros")


def clears_unseen(files: Iterable[str]) -> bool:
    """Whether one of the files does."""
    return any(map(_clears_in, files))


@lru_cache(maxsize=512)
def _clears_in(file: str) -> bool:
    aliases = {name for node in _nodes(file) for name in _named(node)}
    return any(_clears(node, aliases) for node in _nodes(file))


def _nodes(file: str) -> Iterator[ast.AST]:
    return (node for _, node in nodes_with("data", [file]))


def _named(node: ast.AST) -> Iterator[str]:
    """The variable, where it is given such data: `gradient = p.grad.data`."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if _is_data(value):
            yield name


def _clears(node: ast.AST, aliases: set[str]) -> bool:
    match node:
        case ast.Assign(targets=targets, value=value) if any(map(_is_data, targets)):
            given = isinstance(value, ast.Call) and called(value) in _ZEROS
            return given or not any(map(_is_gradient, ast.walk(value)))  # else scaled, or averaged
        case ast.Call() if called(node) in _CLEARING:
            parts = list(ast.walk(node))
            names = {part.id for part in parts if isinstance(part, ast.Name)}
            return any(map(_is_data, parts)) or not names.isdisjoint(aliases)
    return False


def _is_data(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and node.attr == "data" and _is_gradient(node.value)


def _is_gradient(node: ast.AST) -> bool:
    """By its name."""
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return "grad" in name
    return False
