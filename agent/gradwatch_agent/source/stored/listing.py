"""Whether a program asks of a list what a deque cannot do. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gradwatch_agent.source.syntax.reading import base, called, last_name
from gradwatch_agent.source.syntax.text import mentions, nodes

_JOINING = ("stack", "cat", "concat", "hstack", "vstack")
"""Functions of torch that take a list or a tuple alone."""


def is_sorted(name: str, files: Iterable[str]) -> bool:
    """Whether the list so called, a variable or an attribute, is brought into another order."""
    return any(_sorts(node, name) for node in _all(name, files))


def is_cut_or_joined(name: str, files: Iterable[str]) -> bool:
    """Whether a slice of it is read, or all of it becomes one tensor."""
    return any(_slices(node, name) or _joins(node, name) for node in _all(name, files))


def _all(name: str, files: Iterable[str]) -> Iterator[ast.AST]:
    return (node for file in files if mentions(file, name) for node in nodes(file))


def _sorts(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(value=whole, attr="sort")):
            return _is(whole, name)
    return False


def _slices(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Subscript(value=whole, slice=ast.Slice(), ctx=ast.Load()):
            return _is(whole, name)
    return False


def _joins(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Call(args=[whole, *_]) if called(node) in _JOINING:
            return _is(whole, name)
    return False


def _is(node: ast.expr, name: str) -> bool:
    return last_name(base(node)) == name
