"""Where a function is registered as a hook. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from gradwatch_agent.source.indexing import index
from gradwatch_agent.source.places import Passed, Place
from gradwatch_agent.source.reading import called
from gradwatch_agent.source.statements import function_at
from gradwatch_agent.source.stores import attribute, received, targets_at, variable
from gradwatch_agent.source.text import code_of, tree

_HOPS: Final = 3
"""Functions through which one is handed on to be registered."""

_IsIt = Callable[[ast.AST], bool]


@dataclass(frozen=True, slots=True)
class Registration:
    """A statement that registers a hook."""

    file: str
    line: int
    code: str


def registration(file: str, line: int, files: Iterable[str] = ()) -> Registration | None:
    """The statement that registers the function whose code begins on that line, if only one: in its
    own file, or else in others.
    """
    scope = index(file).scopes.get(line)
    if scope is None:
        return None
    others = [other for other in files if other != file]
    names = {scope.name}
    outer = scope.parent
    while outer is not None and outer.name:
        names.add(outer.name)  # which makes it, and hands it back
        outer = outer.parent
    for among, is_it in (([file], _is_made(names, line)), (others, _is_made(names, -1))):
        found = {
            each
            for at in among
            if (module := tree(at)) is not None
            for each in _registrations(at, module, is_it, [file, *others], _HOPS)
        }
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def _is_made(names: set[str], line: int) -> _IsIt:
    """That function, or what hands it back: by its name, as a lambda, as a method."""

    def is_it(part: ast.AST) -> bool:
        if isinstance(part, ast.Lambda):
            return part.lineno == line
        if isinstance(part, ast.Name):
            return part.id in names
        return isinstance(part, ast.Attribute) and part.attr in names

    return is_it


def _registrations(
    file: str, area: ast.AST, is_it: _IsIt, files: list[str], hops: int
) -> Iterator[Registration]:
    """Each statement of the area that registers it, or hands it to a function that does."""
    for statement in ast.walk(area):
        if not isinstance(statement, ast.stmt) or hasattr(statement, "body"):
            continue
        for call in ast.walk(statement):
            if not isinstance(call, ast.Call):
                continue
            for passed in _ways(call, is_it):
                if called(call).startswith("register_"):
                    yield Registration(file, statement.lineno, code_of(file, statement))
                elif hops:
                    yield from _handed(passed, files, hops - 1)
        if hops and isinstance(statement, ast.Assign) and _speaks(statement.value, is_it):
            for place in targets_at(file, statement.lineno):
                yield from _under(place, file, files, hops - 1)


def _ways(call: ast.Call, is_it: _IsIt) -> Iterator[Passed]:
    """The arguments by which a call is given it."""
    method = isinstance(call.func, ast.Attribute)
    for position, argument in enumerate(call.args):
        if _speaks(argument, is_it):
            yield Passed(called(call), position, None, method)
    for keyword in call.keywords:
        if _speaks(keyword.value, is_it):
            yield Passed(called(call), 0, keyword.arg, method)


def _speaks(value: ast.expr, is_it: _IsIt) -> bool:
    return any(map(is_it, ast.walk(value)))


def _handed(passed: Passed, files: list[str], hops: int) -> Iterator[Registration]:
    for place in received(passed, files):
        yield from _under(place, place.file, files, hops)


def _under(place: Place, file: str, files: list[str], hops: int) -> Iterator[Registration]:
    """Where it is registered, in that file, under the name that it has there."""

    def is_it(part: ast.AST) -> bool:
        if isinstance(part, ast.Attribute):
            return attribute(part.attr) == place
        if not isinstance(part, ast.Name):
            return False
        return variable(file, function_at(file, part.lineno), part.id) == place

    module = tree(file)
    if module is not None:
        yield from _registrations(file, module, is_it, files, hops)
