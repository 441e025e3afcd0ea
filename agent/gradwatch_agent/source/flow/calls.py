"""Where a function is called, and whether that is ahead of training only. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.flow.giving import fits
from gradwatch_agent.source.flow.loops import is_ahead, is_in_a_round, loops_at
from gradwatch_agent.source.syntax.reading import base, called
from gradwatch_agent.source.syntax.statements import (
    Body,
    Function,
    body_around,
    functions_named,
)
from gradwatch_agent.source.syntax.text import mentions, nodes
from gradwatch_agent.source.syntax.vocabulary import TRAINING_NOTHING

_DEPTH: Final = 3
"""Calls, one within the function that another one calls."""

_BY_OTHERS: Final = ("__", "on_")
"""Beginnings of the names of methods that Python and trainers call by themselves."""


def calls_of(name: str, files: Iterable[str]) -> Iterator[tuple[str, ast.Call]]:
    """All calls of what goes by that name, each with its file."""
    for file in files:
        if mentions(file, name):
            yield from ((file, call) for call in _calls_in(file).get(name, ()))


@lru_cache(maxsize=512)
def _calls_in(file: str) -> dict[str, list[ast.Call]]:
    """By the names that are called."""
    found: dict[str, list[ast.Call]] = {}
    for node in nodes(file):
        if isinstance(node, ast.Call):
            found.setdefault(called(node), []).append(node)
    return found


def only_call(function: Function, files: Collection[str]) -> tuple[str, ast.Call] | None:
    """The one call of it, with its file; None if it may be called otherwise, as where it is handed
    on without being called. `pbar.update(1)` is none of what is told an engine as `self.update`.
    """
    name = function.name
    spoken = sum(_speaks_of(node, name, ()) for _, node in nodes_with(name, files))
    calls = list(calls_of(name, files)) if spoken == 1 else []
    return calls[0] if calls and fits(calls[0][1], function) else None


def _calls_to(function: Function, files: Iterable[str]) -> Iterator[tuple[str, ast.Call]]:
    """Those that may be of that function, and of none of its name."""
    return (each for each in calls_of(function.name, files) if fits(each[1], function))


def differentiated(files: Iterable[str]) -> frozenset[str]:
    """The variables and attributes with respect to which `autograd.grad` is asked for gradients; of
    `state["weights"]` with the key, for nothing is said of the others.
    """
    return frozenset().union(*map(_differentiated_in, files))


@lru_cache(maxsize=512)
def _differentiated_in(file: str) -> frozenset[str]:
    return _asked_of(call for _, call in calls_of("grad", [file]))


def differentiated_around(file: str, line: int) -> frozenset[str]:
    """Those of the function around the line."""
    body = body_around(file, line)
    first, last = getattr(body, "lineno", 1), getattr(body, "end_lineno", None) or line
    calls = (call for _, call in calls_of("grad", [file]))
    return _asked_of(call for call in calls if first <= call.lineno <= last)


def _asked_of(calls: Iterable[ast.Call]) -> frozenset[str]:
    inputs = (each for call in calls for each in _inputs(call))
    asked = (one for each in inputs for one in _wholes(each))
    return frozenset(name for name in map(_last_name, asked) if name)


def _last_name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=whole, slice=key):
            return f"{_last_name(whole)}[{ast.unparse(key)}]"
    return ""


def _inputs(call: ast.Call) -> Iterator[ast.AST]:
    """What a call names as inputs: of `(state.weight, state.bias)` the last attributes."""
    given = [*call.args[1:2], *(k.value for k in call.keywords if k.arg == "inputs")]
    for value in given:
        yield from value.elts if isinstance(value, ast.Tuple | ast.List) else (value,)


def _wholes(value: ast.AST) -> Iterator[ast.AST]:
    """Of `tuple(self.fast.values())`, and of all `self.fast[k] for k in names`, `self.fast`."""
    match value:
        case ast.Call(func=ast.Name(id="tuple" | "list"), args=[inner]):
            yield from _wholes(inner)
        case (
            ast.ListComp(elt=one, generators=[each]) | ast.GeneratorExp(elt=one, generators=[each])
        ):
            yield from (base(one), base(each.iter))
        case ast.Subscript(value=whole, slice=ast.Constant(value=str())) if base(whole) is whole:
            yield value
        case ast.expr():
            yield base(value)


def may_run(name: str, files: Iterable[str], on: Collection[str] = ()) -> bool:
    """Whether somebody may call the function of that name: a line of the files that speaks of it,
    or what it is decorated with or named after. Of a method that one is sought which is called
    on a thing of one of the names in `on`, if there are any.
    """
    every = list(files)
    if name.startswith(_BY_OTHERS) or name == "forward":
        return True
    own = functions_named(name, every)
    return any(function.decorator_list for _, function in own) or any(
        _speaks_of(node, name, on) for _, node in nodes_with(name, every)
    )


def _speaks_of(node: ast.AST, name: str, on: Collection[str]) -> bool:
    match node:
        case ast.Attribute(value=ast.Attribute(attr=other), attr=attribute) if on:
            return attribute == name and other in on
        case ast.Attribute(attr=spoken) | ast.Name(id=spoken) | ast.Constant(value=spoken):
            return bool(spoken == name)
    return False


def not_called(name: str, files: Iterable[str]) -> Iterator[tuple[str, ast.Expr]]:
    """All statements that name a method of that name and, for want of parentheses, do no more."""
    for file, node in nodes_with(name, files):
        match node:
            case ast.Expr(value=ast.Attribute(attr=attribute)) if attribute == name:
                yield file, node


def nodes_with(word: str, files: Iterable[str]) -> Iterator[tuple[str, ast.AST]]:
    """All of the files' syntax trees, of files in which the word stands."""
    for file in files:
        if mentions(file, word):
            yield from ((file, node) for node in nodes(file))


def is_set_up(file: str, line: int, files: Iterable[str], depth: int = _DEPTH) -> bool:
    """Whether the line is reached before training alone: in a constructor, at a module's top, ahead
    of the loop that trains, or in a function that is called from such places only.
    """
    body = body_around(file, line)
    if body is None:
        return False
    if _is_before(body, line):
        return True
    files = list(files)
    if any(may_train(loop, files) for loop in loops_at(body, line)):
        return False
    if isinstance(body, ast.Module):
        return True
    calls = [
        (at, call)
        for at, call in (_calls_to(body, files) if depth else ())
        if getattr(body_around(at, call.lineno), "name", "") != body.name  # by `super()`, or itself
    ]
    return bool(calls) and all(_sets_up(at, call, files, depth - 1) for at, call in calls)


def _is_before(body: Body, line: int) -> bool:
    """Whether the line of that function is reached before training, whoever calls it."""
    constructs = isinstance(body, ast.FunctionDef) and body.name == "__init__"
    return constructs or is_ahead(body, line, surely=True)


def _sets_up(file: str, call: ast.Call, files: list[str], depth: int) -> bool:
    """Whether the call is made before training alone: a comprehension may be what trains."""
    body = body_around(file, call.lineno)
    once = body is not None and (_is_before(body, call.lineno) or not is_in_a_round(file, call))
    return once and is_set_up(file, call.lineno, files, depth)


def is_called_in_a_loop(file: str, line: int, files: Iterable[str]) -> bool:
    """Whether some loop calls the function that the line stands in."""
    body = body_around(file, line)
    if body is None or isinstance(body, ast.Module):
        return False
    calls = ((body_around(at, call.lineno), call.lineno) for at, call in _calls_to(body, files))
    return any(around is not None and loops_at(around, at) for around, at in calls)


def may_train(loop: ast.AST, files: Collection[str]) -> bool:
    """Whether it calls what may: a function of the program's, or of somebody's trainer's."""
    called_there = {called(node) for node in ast.walk(loop) if isinstance(node, ast.Call)}
    return any(
        name not in TRAINING_NOTHING or functions_named(name, files) for name in called_there
    )
