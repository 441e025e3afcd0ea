"""A statement that keeps a tensor in a way of its own, with the variable detached by which it is
called there. Pure.
"""

from __future__ import annotations

import ast

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import detached, name_detached, replaced
from gradwatch_agent.source.stored.stores import variable
from gradwatch_agent.source.stored.tensors import is_a_tensor
from gradwatch_agent.source.syntax.reading import base, names_given, reads
from gradwatch_agent.source.syntax.statements import function_at
from gradwatch_agent.source.syntax.targets import pairs


def by_its_name(kept: Kept, file: str, statement: ast.stmt) -> str | None:
    """The advice to give it without its graph what was given the tensor where that was made; None
    where the statement reads no such variable, or several, or may read it only later. Of one that
    makes the thing anew of what it was before, it is the tensor that it adds.
    """
    if kept.behind or not isinstance(statement, ast.Expr | ast.Assign | ast.Return):
        return None
    back = isinstance(statement, ast.Return)
    if statement.value is None or (back and kept.name not in reads(statement.value)):
        return None
    if any(isinstance(node, ast.Lambda) for node in ast.walk(statement.value)):
        return None
    name = _named(kept, file, statement)
    code = _without(statement, name) if name is not None else None
    does = "Hand it back" if back else "Store it"
    more = "; `.item()` makes it a plain number" if kept.scalar else ""
    return f"{does} without its graph: `{code}`{more}." if code is not None else None


def _named(kept: Kept, file: str, statement: ast.Expr | ast.Assign | ast.Return) -> str | None:
    """The one variable to detach."""
    function = function_at(file, statement.lineno)
    value = statement.value or statement
    if isinstance(statement, ast.Return) and isinstance(value, ast.Tuple):
        own = [each for each in value.elts if kept.name in reads(each)]
        value = own[0] if len(own) == 1 else value
    read = dict.fromkeys(name for name in reads(value) if name.isidentifier())
    given = {ast.unparse(base(target)) for target, _ in pairs(statement)}
    if isinstance(statement, ast.Assign):
        given |= {name for target in statement.targets for name in names_given(target)}
    given |= {kept.name} if isinstance(statement, ast.Return) else set()
    others = [name for name in read if name not in given]
    named = [name for name in others if variable(file, function, name) in kept.made_as]
    if not named and given.intersection(read):
        named = [name for name in others if is_a_tensor(file, statement.lineno, name)]
    return named[0] if len(named) == 1 else None


def _without(statement: ast.Expr | ast.Assign | ast.Return, name: str) -> str | None:
    """Of a list that is called so, and of which an element is read, nothing is to be detached: but
    what is given of it.
    """
    parts = (part for part in ast.walk(statement) if isinstance(part, ast.Subscript))
    if not any(isinstance(part.value, ast.Name) and part.value.id == name for part in parts):
        return name_detached(statement, name)
    if not isinstance(statement, ast.Assign):
        return None
    return replaced(statement, statement.value, detached(statement.value))
