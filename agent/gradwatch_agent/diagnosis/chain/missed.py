"""The statement that means to cut what is carried, and leaves it as it is: `state.detach()`, whose
result nobody takes; `repackage(state)`; `for h in state: h = h.detach()`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradwatch_agent.advice.rewriting import is_bare
from gradwatch_agent.advice.whole import whole_detached
from gradwatch_agent.diagnosis.place.known import Known, kept
from gradwatch_agent.diagnosis.place.stored import candidates, place_of
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.gradients.cut import is_cut, is_for_its_cut
from gradwatch_agent.source.stored.stores import known_places, place_read
from gradwatch_agent.source.syntax.text import code_of, nodes
from gradwatch_agent.verdicts.case import Answer

_DETACH = ("detach", "detach_")

_INSTEAD = "This leaves it its graph; in its place: "


def missed_cut(known: Known) -> Answer:
    """The first such statement about what the path leads to; nothing if there is none."""
    files = own_files()
    places = known_places([place_of(known.path)], files)
    for file in files:
        for statement, thing in _in_vain(file):
            if place_read(file, thing) in places and _is_meant(statement):
                code = code_of(file, statement)
                return Answer(file, statement.lineno, code, suggestion=_taken(statement, known))
    return Answer()


def _in_vain(file: str) -> Iterator[tuple[ast.stmt, ast.expr]]:
    """The statements of the file that may detach a thing for nobody, each with the thing."""
    for node in nodes(file):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=thing, attr="detach"), args=[])):
                yield node, thing
            case ast.Expr(value=ast.Attribute(value=thing, attr=name)) if name in _DETACH:
                yield node, thing
            case ast.Expr(value=ast.Call(args=[thing])):
                yield node, thing
            case ast.For(target=ast.Name(id=each), iter=thing, body=[ast.Assign() as given]):
                named = [ast.unparse(target) for target in given.targets]
                if named == [each] and is_cut(given.value):
                    yield given, thing


def _is_meant(statement: ast.stmt) -> bool:
    """Whether it is there to detach: of a call that is given the thing, that of such a function."""
    match statement:
        case ast.Expr(value=ast.Call(args=[_]) as call):
            return is_for_its_cut(call, own_files())
    return True


def _taken(statement: ast.stmt, known: Known) -> str:
    """What to write instead."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    thing = _of(value)
    if thing is not None and not known.path.container and value is not None:
        call = ast.unparse(value) if isinstance(value, ast.Call) else f"{ast.unparse(value)}()"
        return f"{_INSTEAD}`{ast.unparse(thing)} = {call}`."
    code = whole_detached(kept(known, candidates(known.path)), None)
    return f"{_INSTEAD}`{code}`."


def _of(value: ast.expr | None) -> ast.expr | None:
    """What a bare name's or attribute's detach, or the function given it alone, is about."""
    match value:
        case ast.Call(func=ast.Attribute(value=thing, attr="detach")) | ast.Attribute(value=thing):
            return thing if is_bare(thing) else None
        case ast.Call(args=[thing]):
            return thing if is_bare(thing) else None
    return None
