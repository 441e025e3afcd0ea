"""Whether what a statement stores goes on to the loss by its own name, too, and when in a round of
training it is stored. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from gradwatch_agent.source.flow.callers import callers
from gradwatch_agent.source.flow.drawing import drawn_from
from gradwatch_agent.source.flow.giving import given
from gradwatch_agent.source.flow.loops import (
    is_in_a_round,
    loops_at,
    stands_behind_backward,
    yields,
    yields_now_and_then,
)
from gradwatch_agent.source.syntax.reading import base, names_given, reads_closely
from gradwatch_agent.source.syntax.statements import (
    Body,
    Function,
    body_around,
    parameters_of,
    statements_of,
)

_MAKING = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return)


def goes_on_itself(value: ast.expr, file: str, line: int, files: Iterable[str]) -> bool:
    """Whether the variable that is stored on the line, what it is drawn from, or what the function
    was given for it, is read by other statements that make something: `bank.append(losses)`,
    `return (weights * losses).mean()`.
    """
    body = body_around(file, line)
    if not isinstance(value, ast.Name) or body is None:
        return False
    names = {value.id}
    for loop in loops_at(body, line):
        if not isinstance(loop, ast.While):
            drawn = drawn_from(loop.target, loop.iter, value.id)
            names |= {drawn.id} if isinstance(drawn, ast.Name) else set()
    if any(_is_read(name, file, line) for name in names):
        return True
    if not isinstance(body, Function) or names.isdisjoint(a.arg for a in parameters_of(body)):
        return False
    handed = (
        (at, call.lineno, each)
        for at, call in callers(file, line, tuple(files))
        for name, each in given(call, body).items()
        if name in names and isinstance(each, ast.Name)
    )
    return any(_is_read(each.id, at, where) for at, where, each in handed)


def runs_in_a_round(file: str, line: int, files: Iterable[str], depth: int = 3) -> bool:
    """Whether a loop within one round of training runs the line, or whoever calls its function."""
    body = body_around(file, line)
    if body is None:
        return False
    around = loops_at(body, line)
    if around and not (_walks(around[-1]) or yields(around[-1])):
        return True
    if around and yields_now_and_then(around[-1]) is not None:
        return True
    files = tuple(files)
    return depth > 0 and any(
        is_in_a_round(at, call) or runs_in_a_round(at, call.lineno, files, depth - 1)
        for at, call in callers(file, line, files)
    )


def is_done_last(file: str, line: int, files: Iterable[str], depth: int = 3) -> bool:
    """Whether the line, or else every call of its function, is behind the backward of its round."""
    if stands_behind_backward(file, line):
        return True
    files, body = tuple(files), body_around(file, line)
    every = (
        callers(file, line, files) if depth else ()
    )  # `self.rows.push` is none of its own `push`
    calls = [(at, call) for at, call in every if body_around(at, call.lineno) is not body]
    return bool(calls) and all(is_done_last(at, c.lineno, files, depth - 1) for at, c in calls)


def _walks(loop: ast.AST) -> bool:
    """Whether a backward is called in it."""
    attributes = (node for node in ast.walk(loop) if isinstance(node, ast.Attribute))
    return any(each.attr in ("backward", "grad") for each in attributes)


def _is_read(name: str, file: str, line: int) -> bool:
    """By a statement of the function around the line, that is none on it, and makes something else
    than the variable itself.
    """
    body = body_around(file, line)
    own = loops_at(body, line) if body is not None else []
    others = (each for each in statements_of(file, line) if not _is_on(each, line))
    return any(
        _makes(each) and name in _read_in(each) and not _makes_only(each, name)
        for each in others
        if body is None or not _is_drawn(name, body, each, own)
    )


def _makes(statement: ast.stmt) -> bool:
    """Whether it makes something of what it reads, be it a loss that goes by no name."""
    bare = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
    return isinstance(statement, _MAKING) or (bare and _walks(statement))


def _is_drawn(
    name: str, body: Body, statement: ast.stmt, own: list[ast.For | ast.While | ast.AsyncFor]
) -> bool:
    """Whether the name is what a loop draws that is around the statement, and none of one's own."""
    around = (loop for loop in loops_at(body, statement.lineno) if loop not in own)
    return any(
        not isinstance(loop, ast.While) and name in names_given(loop.target) for loop in around
    )


def _makes_only(statement: ast.stmt, name: str) -> bool:
    """`fresh[i] = 0.5 * fresh[i] + seen`."""
    into = getattr(statement, "targets", None) or [getattr(statement, "target", None)]
    roots = [base(target) for target in into if target is not None]
    return bool(roots) and all(isinstance(each, ast.Name) and each.id == name for each in roots)


def _read_in(statement: ast.stmt) -> list[str]:
    """What it reads, but for what a comprehension in it draws."""
    value = getattr(statement, "value", None)
    every = ast.walk(value) if value is not None else ()
    drawn = {n for e in every if isinstance(e, ast.comprehension) for n in names_given(e.target)}
    return [name for name in reads_closely(value) if name not in drawn] if value is not None else []


def _is_on(statement: ast.stmt, line: int) -> bool:
    return statement.lineno <= line <= (statement.end_lineno or statement.lineno)
