"""Which statement asks for a graph to be retained, where the backward itself does not say so.

`step = partial(Tensor.backward, retain_graph=True)`, `extra = {"retain_graph": True}`. Pure but
for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import Final

from gradwatch_agent.source.flow.calls import nodes_with
from gradwatch_agent.source.syntax.reading import base, called
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.source.syntax.vocabulary import WALKING

_ASKED: Final = "retain_graph"


def retaining(file: str, line: int, files: Iterable[str]) -> tuple[str, ast.stmt] | None:
    """Where it is asked for, if the statement of that line does not speak of it: by the one that
    does so of a name that is read there, in the same function, or else in the files.
    """
    here, around = statement_at(file, line, calling=WALKING), body_around(file, line)
    if here is None or around is None or _ASKED in ast.unparse(here):
        return None
    used = {_last(node) for node in ast.walk(here)}
    within = _asking(((file, node) for node in ast.walk(around)), used)
    found = within or _asking(nodes_with(_ASKED, files), used)
    return found[0] if len(found) == 1 else None


def _asking(among: Iterable[tuple[str, ast.AST]], used: set[str]) -> list[tuple[str, ast.stmt]]:
    """The assignments that do, to one of the names."""
    return [
        (at, node)
        for at, node in among
        if isinstance(node, ast.Assign)
        if any(_last(base(target)) in used for target in node.targets)
        if any(map(_asks, ast.walk(node)))
    ]


def _last(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""


def _asks(node: ast.AST) -> bool:
    """Of others, not of a walk of its own: `loss.backward(retain_graph=True)`."""
    match node:
        case ast.Call(keywords=given) if called(node) not in WALKING:
            return any(k.arg == _ASKED and _is_true(k.value) for k in given)
        case ast.Dict(keys=keys, values=values):
            return any(_is_word(k) and _is_true(v) for k, v in zip(keys, values, strict=True))
        case ast.Assign(targets=[ast.Subscript(slice=key)], value=value):
            return _is_word(key) and _is_true(value)
    return False


def _is_word(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and node.value == _ASKED


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True
