"""Where a function is registered as a hook. Pure but for reading."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gradwatch_agent.source.indexing import index
from gradwatch_agent.source.reading import called
from gradwatch_agent.source.text import code_of, tree


@dataclass(frozen=True, slots=True)
class Registration:
    """A statement that registers a hook."""

    file: str
    line: int
    code: str


def registration(file: str, line: int) -> Registration | None:
    """The statement that registers the function whose code begins on that line, if only one."""
    module = tree(file)
    scope = index(file).scopes.get(line)
    if module is None or scope is None:
        return None
    found = []
    for statement in ast.walk(module):
        if not isinstance(statement, ast.stmt) or hasattr(statement, "body"):
            continue
        for call in ast.walk(statement):
            if not isinstance(call, ast.Call) or not called(call).startswith("register_"):
                continue
            if any(_is(given, scope.name, line) for given in call.args):
                found.append(Registration(file, statement.lineno, code_of(file, statement)))
    return found[0] if len(found) == 1 else None


def _is(argument: ast.expr, name: str, line: int) -> bool:
    """Whether it is that function: by its name, as a lambda, as a method."""
    for part in ast.walk(argument):
        if isinstance(part, ast.Lambda) and part.lineno == line:
            return True
        if isinstance(part, ast.Name) and part.id == name:
            return True
        if isinstance(part, ast.Attribute) and part.attr == name:
            return True
    return False
