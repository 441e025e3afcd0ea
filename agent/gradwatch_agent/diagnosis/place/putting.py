"""The calls that give a function what it merely puts away: one thing, all that it is given, or all
by names; and through functions that hand on what they are given, as it comes.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from gradwatch_agent.advice.stored import stored
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.giving import given
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.statements import body_around, statements_of

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_MADE = (ast.Call, ast.Tuple, ast.Dict)

_HOPS: Final = 2
"""Functions that hand on what they are given."""


def giving(function: _Function, store: Store, files: Iterable[str]) -> Iterator[Store]:
    """Their statements, each as the one that stores what the function's own statement does."""
    if merely_puts_away(store, function):
        yield from _calls_of(function, store, files)
    elif _puts_all_away(store, function):
        yield from _calls_with_all(function, store, files)
    elif _puts_all_named_away(store, function):
        yield from _calls_with_names(function, store, files)


def merely_puts_away(store: Store, function: _Function) -> bool:
    """Whether the function stores one of its parameters, and does nothing else with it but ask
    under which key.
    """
    taken = [each.arg for each in (*function.args.args, *function.args.kwonlyargs)]
    value = stored(store)
    if not isinstance(value, ast.Name) or value.id not in taken:
        return False
    targets = getattr(store.node, "targets", [])
    asked = {id(n) for target in targets for n in ast.walk(target)}
    read = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == value.id]
    return len([n for n in read if id(n) not in asked]) == 1


def _puts_all_away(store: Store, function: _Function) -> bool:
    """Whether what the function stores is all of `*parts`, as it comes, or as one record."""
    rest, value = function.args.vararg, stored(store)
    if isinstance(value, ast.Name) and rest is not None and value.id != rest.arg:
        value = given_once(value.id, function)
    match value:
        case ast.Name(id=name):
            return rest is not None and name == rest.arg
        case ast.Call(args=[ast.Starred(value=ast.Name(id=name))], keywords=[]):
            return rest is not None and name == rest.arg
    return False


def _puts_all_named_away(store: Store, function: _Function) -> bool:
    """The same of `**fields`, as they come, or as one record: `self.rows.append(Row(**fields))`."""
    names, value = function.args.kwarg, stored(store)
    match value:
        case (
            ast.Name(id=name)
            | ast.Call(args=[], keywords=[ast.keyword(arg=None, value=ast.Name(id=name))])
        ):
            return names is not None and name == names.arg
    return False


def given_once(name: str, function: _Function) -> ast.expr | None:
    """What the variable is given, if but once."""
    found = [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        if any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]
    return found[0] if len(found) == 1 else None


def _calls_of(function: _Function, store: Store, files: Iterable[str]) -> Iterator[Store]:
    """The statements that give the function something made on the spot."""
    value = stored(store)
    name = value.id if isinstance(value, ast.Name) else ""
    for file, call in calls_of(function.name, files):
        made = given(call, function).get(name)
        if isinstance(made, _MADE):
            for each in at_call(file, call, store, function.name):
                yield dataclasses.replace(each, value=made)


def _calls_with_all(
    function: _Function, store: Store, files: Iterable[str], hops: int = _HOPS
) -> Iterator[Store]:
    """The statements that give the function its further arguments, each by itself."""
    first = len(function.args.args) - bool(store.owner)
    calls = list(calls_of(function.name, files))
    for file, call in calls:
        if hops and (outer := _hands_on(file, call)) is not None:
            yield from _calls_with_all(outer, store, files, hops - 1)
        elif any(isinstance(each, ast.Starred) for each in call.args):
            return  # which of its arguments it is, is not to be told
    for file, call in calls:
        if len(call.args) > first and not any(isinstance(a, ast.Starred) for a in call.args):
            for each in at_call(file, call, store, function.name):
                yield dataclasses.replace(each, rest=first)


def _calls_with_names(
    function: _Function, store: Store, files: Iterable[str], hops: int = _HOPS
) -> Iterator[Store]:
    """The statements that give the function what it puts away by names."""
    for file, call in calls_of(function.name, files):
        if hops and (outer := _hands_on(file, call)) is not None:
            yield from _calls_with_names(outer, store, files, hops - 1)
        elif any(word.arg is not None for word in call.keywords):
            for each in at_call(file, call, store, function.name):
                yield dataclasses.replace(each, named=True)


def _hands_on(file: str, call: ast.Call) -> _Function | None:
    """The function around the call, if all that it gives is all that it was given itself:
    `self.storage.push(**fields)`.
    """
    function = body_around(file, call.lineno)
    if isinstance(function, ast.Module | None):
        return None
    rest, names = function.args.vararg, function.args.kwarg
    match call:
        case ast.Call(args=[ast.Starred(value=ast.Name(id=name))], keywords=[]):
            return function if rest is not None and rest.arg == name else None
        case ast.Call(args=[], keywords=[ast.keyword(arg=None, value=ast.Name(id=name))]):
            return function if names is not None and names.arg == name else None
    return None


def at_call(file: str, call: ast.Call, store: Store, name: str) -> Iterator[Store]:
    """The statement that calls, as the one that stores."""
    for node in statements_of(file, call.lineno):
        if call in ast.walk(node):
            yield dataclasses.replace(
                at_statement(file, node, store), how=name, target=_without_its_key(store)
            )


def at_statement(file: str, node: ast.stmt, store: Store) -> Store:
    """The same store, by another statement."""
    end = node.end_lineno or node.lineno
    return dataclasses.replace(store, file=file, line=node.lineno, end_line=end, node=node)


def _without_its_key(store: Store) -> str:
    """What is stored into; of `ring[at] = t` the ring, for a call puts into it without a key."""
    container, bracket, _ = store.target.rpartition("[")
    return container if bracket and store.how in ("assign", "augment", "bind") else store.target
