"""Where what goes by a name is called, and whether it may be otherwise. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.flow.giving import fits
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import (
    Function,
    functions_named,
)
from gradwatch_agent.source.syntax.text import mentions, nodes

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
