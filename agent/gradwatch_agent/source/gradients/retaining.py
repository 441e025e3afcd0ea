"""Which statement asks for a graph to be retained, where the backward itself does not say so.

`step = partial(Tensor.backward, retain_graph=True)`, `extra = {"retain_graph": True}`, or whoever
calls `def walk(loss, retain)`. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from gradwatch_agent.source.flow.calls import nodes_with
from gradwatch_agent.source.flow.giving import given
from gradwatch_agent.source.syntax.reading import base, called, last_name
from gradwatch_agent.source.syntax.statements import Function, body_around, parameters_of
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.source.syntax.vocabulary import WALKING

_ASKED: Final = "retain_graph"

Stack: TypeAlias = Sequence[tuple[str, int]]
"""By file and line; the innermost first."""


def retaining(lines: Stack, files: Iterable[str]) -> tuple[str, ast.stmt] | None:
    """Where it is asked for, if the statement of the first line does not do so: by the caller whose
    it is to say; by the one that does so of a name that is read there, in the same function, or
    else in the files.
    """
    if (caller := _whose(lines)) is not None:
        return caller
    file, line = lines[0]
    here, around = statement_at(file, line, calling=WALKING), body_around(file, line)
    if here is None or around is None or _ASKED in ast.unparse(here):
        return None
    used = {last_name(node) for node in ast.walk(here)}
    within = _asking(((file, node) for node in ast.walk(around)), used)
    found = within or _asking(nodes_with(_ASKED, files), used)
    return found[0] if len(found) == 1 else None


def _whose(lines: Stack) -> tuple[str, ast.stmt] | None:
    """The statement that says so to functions which only hand it on."""
    asked, function, found = _ASKED, None, None
    for file, line in lines:
        here = statement_at(file, line, calling=[function.name] if function else WALKING)
        value = _given(here, function, asked) if here is not None else None
        if here is None or value is None:
            break
        found = (file, here) if function is not None else None
        around = body_around(file, line)
        if not isinstance(around, Function) or (asked := _parameter(value, around)) == "":
            break
        function = around
    return found


def _given(here: ast.stmt, function: Function | None, asked: str) -> ast.expr | None:
    """What the statement's call of it, or of a backward, gives it: by name, or by all of
    `**options`.
    """
    for call in ast.walk(here):
        if not isinstance(call, ast.Call):
            continue
        spelled = {each.arg: each.value for each in call.keywords}
        if function is not None and called(call) == function.name:
            return given(call, function).get(asked, spelled.get(None))
        if function is None and called(call) in WALKING:
            return spelled.get(asked, spelled.get(None))
    return None


def _parameter(value: ast.expr, around: Function) -> str:
    """By what name the caller of the function around says it; "" where it does not."""
    if not isinstance(value, ast.Name):
        return ""
    options = around.args.kwarg
    if options is not None and options.arg == value.id:
        return _ASKED
    return value.id if value.id in {each.arg for each in parameters_of(around)} else ""


def _asking(among: Iterable[tuple[str, ast.AST]], used: set[str]) -> list[tuple[str, ast.stmt]]:
    """The assignments that do, to one of the names."""
    return [
        (at, node)
        for at, node in among
        if isinstance(node, ast.Assign)
        if any(last_name(base(target)) in used for target in node.targets)
        if any(map(_asks, ast.walk(node)))
    ]


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
