"""Whether a program computes a loss from what lies in an attribute. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from typing import Final

from gradwatch_agent.source.calls import calls_of, nodes_with
from gradwatch_agent.source.reading import called
from gradwatch_agent.source.statements import Body, body_around
from gradwatch_agent.source.vocabulary import ADDING

_BACKWARD: Final = ("backward", "grad")

_LOOKING: Final = ("len", "print", "item", "tolist", "float", "detach", "no_grad")
"""Calls that look at a thing and no more."""


def trains_by(name: str, files: Collection[str]) -> bool:
    """Whether a function reads the attribute that calls a backward, or hands what it works out to
    one that does: `torch.stack(episode.log_probs)`. Detached, it would train nothing.
    """
    for file, node in nodes_with(name, files):
        if isinstance(node, ast.Attribute) and node.attr == name:
            body = body_around(file, node.lineno)
            if body is None or not _reads(body, node):
                continue
            if _backwards(body) or any(map(_backwards, _callers(body, files))):
                return True
    return False


def _reads(body: Body, node: ast.Attribute) -> bool:
    """Whether it is read there for what it holds: neither added to, nor given anything, nor merely
    looked at.
    """
    if not isinstance(node.ctx, ast.Load):
        return False
    for call in (each for each in ast.walk(body) if isinstance(each, ast.Call)):
        receiver = call.func.value if isinstance(call.func, ast.Attribute) else None
        if receiver is node and called(call) in (*ADDING, "clear", "pop"):
            return False
        if called(call) in _LOOKING and any(part is node for part in ast.walk(call)):
            return False
    return True


def _backwards(body: Body) -> bool:
    return any(isinstance(n, ast.Call) and called(n) in _BACKWARD for n in ast.walk(body))


def _callers(body: Body, files: Collection[str]) -> Iterator[Body]:
    """The functions that call it, if it gives them anything."""
    if isinstance(body, ast.Module) or not any(
        isinstance(node, ast.Return) and node.value is not None for node in ast.walk(body)
    ):
        return
    for file, call in calls_of(body.name, files):
        if (caller := body_around(file, call.lineno)) is not None:
            yield caller
