"""Functions that remember what they return, by a decorator or a call. Pure but for reading."""

from __future__ import annotations

import ast

from gradwatch_agent.source.syntax.reading import dotted
from gradwatch_agent.source.syntax.statements import body_around

_PLAIN = ("self", "cls")
_NUMBERS = ("int", "str", "float", "bool")


def is_cache(decorator: ast.expr) -> bool:
    """Whether a decorator is one that remembers, by its name."""
    name = dotted(decorator.func if isinstance(decorator, ast.Call) else decorator) or ""
    return "cache" in name.rpartition(".")[2]


def may_be_kept(parameter: ast.arg) -> bool:
    """Whether what is given for it may be a tensor, which such a function keeps as well."""
    kind = ast.unparse(parameter.annotation) if parameter.annotation is not None else ""
    return parameter.arg not in _PLAIN and kind not in _NUMBERS


def cache_around(file: str, line: int) -> ast.expr | None:
    """The decorator by which the function that the line stands in remembers; None without one."""
    body = body_around(file, line)
    decorators = body.decorator_list if body and not isinstance(body, ast.Module) else []
    return next(filter(is_cache, decorators), None)


def cache_made(value: ast.AST | None) -> ast.expr | None:
    """Of `self.code = lru_cache(maxsize=8)(self.encode)`, what makes the function remember."""
    value = value.value if isinstance(value, ast.Assign) else value
    if not isinstance(value, ast.Call) or len(value.args) != 1:
        return None
    made = value.func
    name = dotted(made.func if isinstance(made, ast.Call) else made) or ""
    return made if name.removeprefix("functools.") in ("lru_cache", "cache") else None
