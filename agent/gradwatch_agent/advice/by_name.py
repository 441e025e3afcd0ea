"""A statement that keeps a tensor in a way of its own, with the variable detached by which it is
called there. Pure.
"""

from __future__ import annotations

import ast

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import detached, name_detached, replaced
from gradwatch_agent.source.stored.stores import variable
from gradwatch_agent.source.syntax.reading import reads
from gradwatch_agent.source.syntax.statements import function_at


def by_its_name(kept: Kept, file: str, statement: ast.stmt) -> str | None:
    """The advice to give it without its graph what was given the tensor where that was made; None
    where the statement reads no such variable, or several, or may read it only later.
    """
    if kept.behind or not isinstance(statement, ast.Expr | ast.Assign):
        return None
    if any(isinstance(node, ast.Lambda) for node in ast.walk(statement.value)):
        return None
    function = function_at(file, statement.lineno)
    read = dict.fromkeys(name for name in reads(statement.value) if name.isidentifier())
    named = [name for name in read if variable(file, function, name) in kept.made_as]
    code = _without(statement, named[0]) if len(named) == 1 else None
    more = "; `.item()` makes it a plain number" if kept.scalar else ""
    return f"Store it without its graph: `{code}`{more}." if code is not None else None


def _without(statement: ast.Expr | ast.Assign, name: str) -> str | None:
    """Of a list that is called so, and of which an element is read, nothing is to be detached: but
    what is given of it.
    """
    parts = (part for part in ast.walk(statement) if isinstance(part, ast.Subscript))
    if not any(isinstance(part.value, ast.Name) and part.value.id == name for part in parts):
        return name_detached(statement, name)
    whole = isinstance(statement, ast.Assign)
    return replaced(statement, statement.value, detached(statement.value)) if whole else None
