"""Where a function is registered as a hook. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import attribute, received, targets_at, variable
from gradwatch_agent.source.syntax.places import Passed, Place
from gradwatch_agent.source.syntax.reading import called, dotted
from gradwatch_agent.source.syntax.scopes import Scope
from gradwatch_agent.source.syntax.statements import body_around, function_at
from gradwatch_agent.source.syntax.text import code_of, nodes

_NAMES: Final = 16
"""Names under which a function is followed on its way to be registered."""

_GIVEN: Final = 3
"""What a forward hook is given: the module, what goes in, and what comes out."""

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
    names = {scope.name, *_made_by(scope)}
    for among, at in (([file], line), (others, -1)):
        search = _Search([file, *others])
        found = {each for place in among for each in search.run(place, _named(names, at))}
        if found:
            return found.pop() if len(found) == 1 else None
    return None


def heard_by_hooks(files: Iterable[str]) -> Iterator[Place]:
    """The parameters by which forward hooks know what a module gives."""
    every = list(files)
    for _, call in calls_of("register_forward_hook", every):
        hook = call.args[0] if call.args else None
        name = (dotted(hook) or "").rpartition(".")[2] if hook is not None else ""
        for scope in (each for file in every for each in index(file).functions.get(name, [])):
            given = scope.parameters[bool(scope.owner) :]
            if len(given) == _GIVEN:
                yield Place(scope.file, scope.line, given[-1])


def _made_by(scope: Scope) -> Iterator[str]:
    """The function that makes it and hands it back, if that is what the one around it does."""
    around = scope.parent
    if around is None or not around.name:
        return
    body = body_around(scope.file, around.line)
    returns = (
        (node.value for node in ast.walk(body) if isinstance(node, ast.Return)) if body else ()
    )
    if any(value and _speaks(value, _named({scope.name}, scope.line)) for value in returns):
        yield around.name


def _named(names: set[str], line: int) -> _IsIt:
    """By one of the names, as a method, as a lambda of that line."""

    def is_it(part: ast.AST) -> bool:
        if isinstance(part, ast.Lambda):
            return part.lineno == line
        if isinstance(part, ast.Name):
            return part.id in names
        return isinstance(part, ast.Attribute) and part.attr in names

    return is_it


def _speaks(value: ast.expr, is_it: _IsIt) -> bool:
    return any(map(is_it, ast.walk(value)))


class _Search:
    """For the statements that register it, on all ways that it is handed on."""

    def __init__(self, files: list[str]) -> None:
        self._files = files
        self._seen: set[Place] = set()

    def run(self, file: str, is_it: _IsIt) -> Iterator[Registration]:
        """Those of one file, and of where that one hands it."""
        for statement in nodes(file):
            if not isinstance(statement, ast.stmt) or hasattr(statement, "body"):
                continue
            for call in ast.walk(statement):
                given = list(_given(call, is_it)) if isinstance(call, ast.Call) else []
                if given and given[0].callee.startswith("register_"):
                    yield Registration(file, statement.lineno, code_of(file, statement))
                    continue
                for passed in given:
                    for place in received(passed, self._files):
                        yield from self._under(place, place.file)
            if isinstance(statement, ast.Assign) and _speaks(statement.value, is_it):
                for place in targets_at(file, statement.lineno):
                    yield from self._under(place, file)

    def _under(self, place: Place, file: str) -> Iterator[Registration]:
        """In that file, under the name that it has there."""

        def is_it(part: ast.AST) -> bool:
            if isinstance(part, ast.Attribute):
                return attribute(part.attr) == place
            if not isinstance(part, ast.Name) or part.id != place.name:
                return False
            return variable(file, function_at(file, part.lineno), part.id) == place

        if place not in self._seen and len(self._seen) < _NAMES:
            self._seen.add(place)
            yield from self.run(file, is_it)


def _given(call: ast.Call, is_it: _IsIt) -> Iterator[Passed]:
    """The arguments by which a call is given it."""
    method = isinstance(call.func, ast.Attribute)
    for position, argument in enumerate(call.args):
        if _speaks(argument, is_it):
            yield Passed(called(call), position, None, method)
    for keyword in call.keywords:
        if _speaks(keyword.value, is_it):
            yield Passed(called(call), 0, keyword.arg, method)
