"""For an `autograd.grad` that frees a graph which is walked again. Pure but for reading."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.rewriting import replaced
from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.source.syntax.reading import called, names_given, reads
from gradwatch_agent.source.syntax.statements import body_around, statements_of
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.source.syntax.vocabulary import WALKING

_KEEPING = ("retain_graph", "create_graph")
"""Arguments, either of which keeps it."""


def keeping(lines: Lines) -> tuple[Site | None, str | None]:
    """For an `autograd.grad` that freed what is wanted after it: the line that is to say that it is
    kept, and how; None if it asks for no gradients so, or keeps the graph. `lines`: of the call,
    from the innermost out.
    """
    site = lines[0]
    statement = statement_at(site.file, site.line, calling=WALKING)
    if statement is None:
        return None, None
    for node in ast.walk(statement):
        if isinstance(node, ast.Call) and called(node) == "grad" and not _keeps(node):
            asked = next((each for each in node.keywords if each.arg in _KEEPING), None)
            handed = _handed(asked.value, lines) if asked is not None else None
            if handed is not None:
                return lines[1], _FREES.format(handed)
            trained = asked is None and _goes_on(site, statement)
            name = asked.arg if asked is not None and asked.arg else _KEEPING[trained]
            code = _FREES.format(replaced(statement, node, _keeping(node, name)))
            other = _LOOKED_AT if trained else _TRAINED
            return site, code if asked is not None else f"{code[:-1]}; {other}"
    return None, None


_FREES = "It frees the graph, which is walked again: `{}`."
_TRAINED = "with create_graph=True, if the gradients are to be trained."
_LOOKED_AT = "with retain_graph=True, if nothing is to be trained through the gradients."


def _goes_on(site: Site, statement: ast.stmt) -> bool:
    """Whether what it gives is handed back or read further on, and not as numbers alone: a penalty
    is made of it.
    """
    if isinstance(statement, ast.Return):
        return True
    given = names_given(statement)
    every = statements_of(site.file, site.line)
    later = [each for each in every if each.lineno > (statement.end_lineno or site.line)]
    reading = [each for each in later if not given.isdisjoint(reads(each))]
    return any(not _only_looks(each) for each in reading)


def _only_looks(statement: ast.stmt) -> bool:
    calls = (node for node in ast.walk(statement) if isinstance(node, ast.Call))
    return any(called(call) in ("item", "detach", "float", "print", "copy_") for call in calls)


def _handed(value: ast.expr, lines: Lines) -> str | None:
    """Where the function is called whose parameter decides: the statement there, deciding so."""
    body = body_around(lines[0].file, lines[0].line)
    if len(lines) < 2 or not isinstance(value, ast.Name) or isinstance(body, ast.Module | None):
        return None
    names = [each.arg for each in (*body.args.posonlyargs, *body.args.args)]
    if value.id not in (*names, *(each.arg for each in body.args.kwonlyargs)):
        return None
    stored = (n for n in ast.walk(body) if isinstance(n, ast.Name) and n.id == value.id)
    if any(isinstance(each.ctx, ast.Store) for each in stored):
        return None
    outer = statement_at(lines[1].file, lines[1].line, calling=(body.name,))
    calls = [n for n in ast.walk(outer or ast.Module([], [])) if isinstance(n, ast.Call)]
    plain = (each for each in calls if called(each) == body.name and not _unpacks(each))
    call = next(plain, None)
    return replaced(outer, call, _given(call, names, value.id)) if outer and call else None


def _unpacks(call: ast.Call) -> bool:
    """`f(*args)`, `f(**settings)`."""
    starred = any(isinstance(each, ast.Starred) for each in call.args)
    return starred or any(each.arg is None for each in call.keywords)


def _given(call: ast.Call, names: list[str], name: str) -> ast.Call:
    """The call, with true for that parameter of the function."""
    names = names[names[:1] in (["self"], ["cls"]) :]
    place = names.index(name) if name in names else len(call.args)
    if place >= len(call.args):
        return _keeping(call, name)
    arguments = [*call.args[:place], ast.Constant(value=True), *call.args[place + 1 :]]
    return ast.Call(call.func, arguments, call.keywords)


def _keeps(call: ast.Call) -> bool:
    """Whether it says so itself, or may say anything."""
    return any(
        each.arg is None or (each.arg in _KEEPING and ast.unparse(each.value) == "True")
        for each in call.keywords
    )


def _keeping(call: ast.Call, name: str) -> ast.Call:
    """The call, with that argument true."""
    others = [each for each in call.keywords if each.arg != name]
    keep = ast.keyword(name, ast.Constant(value=True))
    return ast.Call(call.func, call.args, [*others, keep])
