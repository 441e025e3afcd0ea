"""What a function has been given as a default, and where. Pure but for reading."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TypeAlias

from gradwatch_agent.source.stored.tensors import is_a_tensor
from gradwatch_agent.source.syntax.scopes import first_line
from gradwatch_agent.source.syntax.text import nodes, statement_at

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(frozen=True, slots=True)
class Default:
    """Of one parameter."""

    file: str
    statement: ast.stmt
    """That makes the function."""
    value: ast.expr
    beside: tuple[ast.expr, ...] = ()
    """The defaults of its others that are variables, and tensors for all that the source tells."""


def default_of(file: str, line: int, parameter: str) -> Default | None:
    """Of the function whose code begins in that line; None where several that have the parameter
    begin there, or it has none.
    """
    found = [
        (node, value)
        for node in nodes(file)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        and _begins(node) == line
        and (value := given_by(node.args, parameter)) is not None
    ]
    if len(found) != 1:
        return None
    function, value = found[0]
    of_lambda = isinstance(function, ast.Lambda)
    statement = statement_at(file, value.lineno) if of_lambda else function
    if not isinstance(statement, ast.stmt) or value not in ast.walk(statement):
        return None  # several stand in one line
    names = ((p, d) for p, d in _pairs(function.args) if isinstance(d, ast.Name) and d is not value)
    beside = (d for p, d in names if is_a_tensor(file, d.lineno, d.id) or _is_asked(function, p))
    return Default(file, statement, value, tuple(beside))


def _begins(function: _Function) -> int:
    """As its code object tells it."""
    return function.lineno if isinstance(function, ast.Lambda) else first_line(function)


def given_by(given: ast.arguments, parameter: str) -> ast.expr | None:
    """The parameter's default."""
    return next((value for each, value in _pairs(given) if each == parameter), None)


def _pairs(given: ast.arguments) -> list[tuple[str, ast.expr | None]]:
    """The parameters that may have a default, with it."""
    by_place = [*given.posonlyargs, *given.args]
    with_default = by_place[len(by_place) - len(given.defaults) :]
    return [
        *((each.arg, value) for each, value in zip(with_default, given.defaults, strict=True)),
        *(
            (each.arg, value)
            for each, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)
        ),
    ]


def _is_asked(function: _Function, parameter: str) -> bool:
    """Whether the function asks its parameter what only a tensor knows: `kld.item()`."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in ("item", "detach", "tolist", "cpu", "mean")
        and isinstance(node.value, ast.Name)
        and node.value.id == parameter
        for node in ast.walk(function)
    )
