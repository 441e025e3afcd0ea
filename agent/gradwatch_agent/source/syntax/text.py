"""Source files as text and trees, as long as they are what the program was started from.

A file that was edited since it was loaded tells other lines than those that run: it is taken for
one without source.
"""

from __future__ import annotations

import ast
import contextlib
import linecache
import os
import re
from collections.abc import Collection
from functools import lru_cache
from pathlib import Path

import psutil

from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.running import runs

_BEGAN_S = psutil.Process(os.getpid()).create_time()
"""When this process began, in seconds since the epoch."""

_SLACK_S = 1.0
"""The clock that stamps files may be this much ahead of the one that stamps processes."""


@lru_cache(maxsize=512)
def lines(file: str) -> tuple[str, ...]:
    """The lines of a file that is still the one that runs; none otherwise."""
    with contextlib.suppress(OSError):  # a notebook's cell has no file, but is known to linecache
        if Path(file).stat().st_mtime > _BEGAN_S + _SLACK_S and not runs(file):
            return ()
    return tuple(linecache.getlines(file))


@lru_cache(maxsize=512)
def _text(file: str) -> str:
    return "".join(lines(file))


@lru_cache(maxsize=512)
def _words(file: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w+", _text(file)))


def mentions(file: str, name: str) -> bool:
    """Whether the name, or all words of one with dots, stand in the file: it need not be parsed
    for one that does not.
    """
    return bool(name) and _words(file).issuperset(re.findall(r"\w+", name))


@lru_cache(maxsize=512)
def tree(file: str) -> ast.Module | None:
    """The syntax tree of a file; None if it has no source or does not parse."""
    text = _text(file)
    try:
        return ast.parse(text) if text else None
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


@lru_cache(maxsize=512)
def nodes(file: str) -> tuple[ast.AST, ...]:
    """All of that tree, from its top down; it is walked once, for many ask."""
    module = tree(file)
    return tuple(ast.walk(module)) if module is not None else ()


@lru_cache(maxsize=512)
def _statements(file: str) -> tuple[ast.stmt, ...]:
    return tuple(node for node in nodes(file) if isinstance(node, ast.stmt))


def source_line(file: str, line: int) -> str | None:
    """The line as written, stripped; None where there is no source."""
    known = lines(file)
    return (known[line - 1].strip() or None) if 0 < line <= len(known) else None


def statement_at(file: str, line: int, *, calling: Collection[str] = ()) -> ast.stmt | None:
    """The innermost statement that covers the line; of a compound one, by its head alone. Of
    several on one line the one that calls what goes by one of those names, or else the last.
    """
    around = [
        node
        for node in _statements(file)
        if node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    last = max(around, key=lambda node: (node.lineno, node.col_offset), default=None)
    beside = [node for node in around if last is not None and node.lineno == last.lineno]
    if not calling or len(beside) < 2:
        return last
    calls = [node for node in beside if any(_calls(part, calling) for part in ast.walk(node))]
    return max(calls, key=lambda node: node.col_offset, default=last)


def _calls(node: ast.AST, names: Collection[str]) -> bool:
    return isinstance(node, ast.Call) and called(node) in names


def code_of(file: str, node: ast.stmt) -> str:
    """The statement's own text in one line; of a compound statement, its head."""
    first, last = node.lineno, node.end_lineno or node.lineno
    if body := getattr(node, "body", None):
        last = max(first, body[0].lineno - 1)
    own = (line.strip() for line in lines(file)[first - 1 : last])
    return " ".join(line for line in own if line)
