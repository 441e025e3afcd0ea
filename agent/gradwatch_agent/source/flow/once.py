"""Whether a line runs once in a program's life, and only such ones make the objects of a class.

Certain or not at all: a function that is called by what does not name it may run again and again.
Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.giving import fits
from gradwatch_agent.source.flow.loops import is_in_a_round, loops_at
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import (
    Function,
    body_around,
    function_at,
    functions_named,
)
from gradwatch_agent.source.syntax.text import mentions, nodes

_DEPTH: Final = 4
"""Calls, one within the function that another one calls."""


def runs_once(file: str, line: int, files: Collection[str], depth: int = _DEPTH) -> bool:
    """Whether it stands in no loop, nor does any call of its function, nor of whoever calls that;
    all of which are known.
    """
    body = body_around(file, line)
    if body is None or loops_at(body, line):
        return False
    if isinstance(body, ast.Module):
        return True
    if not depth:
        return False
    names = [name for name in names_of(file, line, files) if any(calls_of(name, files))]
    own = None if body.name == "__init__" else body  # which has its class's name
    return bool(names) and all(_all_once(name, tuple(files), depth - 1, own) for name in names)


def names_of(file: str, line: int, files: Collection[str]) -> list[str]:
    """By what the function around the line is called: a constructor by its class, and by those that
    inherit from it. None for a module.
    """
    body = body_around(file, line)
    if body is None or isinstance(body, ast.Module):
        return []
    owner = index(file).scopes[function_at(file, line)].owner
    return _kinds_of(owner, tuple(files)) if body.name == "__init__" and owner else [body.name]


@lru_cache(maxsize=512)
def _kinds_of(kind: str, files: tuple[str, ...]) -> list[str]:
    bases = {
        node.name: {getattr(base, "attr", getattr(base, "id", "")) for base in node.bases}
        for file in files
        for node in nodes(file)
        if isinstance(node, ast.ClassDef)
    }
    found = [kind]
    for name in found:
        found += [each for each, above in bases.items() if name in above and each not in found]
    return found


def is_built_once(kind: str, files: Collection[str]) -> bool:
    """Whether each object of the class is, as far as the files speak of it, made by a line that
    runs once.
    """
    return _all_once(kind, tuple(files), _DEPTH) and not is_any_begun_again(files)


def is_any_begun_again(files: Collection[str]) -> bool:
    """Whether some constructor is run again for an object that is there, `meter.__init__()`; not as
    `super().__init__()` or `Base.__init__(self)`, by which it is made.
    """
    return any(
        isinstance(call.func, ast.Attribute)
        and not (isinstance(call.func.value, ast.Call) and called(call.func.value) == "super")
        and not (call.args and isinstance(call.args[0], ast.Name) and call.args[0].id == "self")
        for _, call in calls_of("__init__", files)
    )


@lru_cache(maxsize=1_024)
def _all_once(
    name: str, files: tuple[str, ...], depth: int, function: Function | None = None
) -> bool:
    """Whether what goes by the name, that function or any, is called, and each time by a line that
    runs once; a method of another thing may have the name, too: `model.train()` is no call of
    `def train(model, loader)`.
    """
    own = [function] if function else [each for _, each in functions_named(name, files)]
    calls = [
        (file, call)
        for file, call in calls_of(name, files)
        if not own or any(fits(call, each) for each in own)
    ]
    return (
        bool(calls)
        and not any(otherwise(name, files))
        and all(_is_once(file, call, files, depth) for file, call in calls)
    )


def _is_once(file: str, call: ast.Call, files: Collection[str], depth: int) -> bool:
    return not is_in_a_round(file, call) and runs_once(file, call.lineno, files, depth)


def otherwise(name: str, files: Collection[str]) -> Iterator[ast.AST]:
    """Where what goes by the name is not called, but may be handed to somebody who calls it;
    neither where it tells a type, nor where it is a class's base.
    """
    for file in files:
        if mentions(file, name):
            aside = _aside(file)
            called = {node.func for node in nodes(file) if isinstance(node, ast.Call)}
            yield from (
                node
                for node in nodes(file)
                if _is_named(node, name) and node not in aside and node not in called
            )


def _is_named(node: ast.AST, name: str) -> bool:
    match node:
        case ast.Attribute(attr=spoken, ctx=ast.Load()) | ast.Name(id=spoken, ctx=ast.Load()):
            return spoken == name
    return False


@lru_cache(maxsize=512)
def _aside(file: str) -> frozenset[ast.AST]:
    """What is written for the reader, and for `isinstance`."""
    found: list[ast.AST | None] = []
    for node in nodes(file):
        match node:
            case ast.arg(annotation=kind) | ast.AnnAssign(annotation=kind):
                found.append(kind)
            case ast.FunctionDef(returns=kind) | ast.AsyncFunctionDef(returns=kind):
                found.append(kind)
            case ast.ClassDef(bases=bases):
                found += bases
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kind]):
                found.append(kind)
    return frozenset(part for each in found if each is not None for part in ast.walk(each))
