"""What a running program counts: numbers that only grow, and numbers that stay as they are.

Owns how that is known: by all statements that store there, and by the loops that run now.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

from gradwatch_agent.naming import own_files
from gradwatch_agent.naming.frames import reaching
from gradwatch_agent.naming.values import number
from gradwatch_agent.source.flow.calls import calls_of, only_call
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import Place, Store, attribute, mentioning, variable
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.scopes import MODULE, first_line
from gradwatch_agent.source.syntax.statements import (
    Function,
    body_around,
    function_at,
    functions_of,
)

_SHOWING: Final = frozenset(("tqdm", "track"))
"""What hands on, in the same order, what it is given."""

_COUNTING: Final = frozenset(("range", "trange", "count"))
"""What counts upwards, if it is given no step of its own."""

_HOPS: Final = 3
"""Functions by which a count is handed on."""


@dataclass(frozen=True)
class Seen:
    """From where names are seen: a function of a file, by its first line."""

    file: str
    function: int
    known: Mapping[str, Any]
    """What some of them stand for, should it not run now."""


def tally(part: ast.expr, seen: Seen, hops: int = _HOPS) -> int | None:
    """What it is worth now, if it is something that only grows."""
    place = _place(part, seen)
    if place is None:
        return None
    stores = list(_stored(place))
    if hops and not stores and place.file and (given := _given(place)) is not None:
        return tally(*given, hops - 1)
    grows = bool(stores) and all(map(_begins_or_adds, stores))
    return _worth(part, seen) if grows else None


def limit(part: ast.expr, seen: Seen) -> int | None:
    """What it is worth, if it is something that stays as it is."""
    stays = _stays(part, seen, _HOPS)
    return _worth(part, seen) if stays else None


def _worth(part: ast.expr, seen: Seen) -> int | None:
    """What it is worth now; an attribute of what a function is given also where that does not run:
    of `trainer.step` by the `self` that its caller gives.
    """
    known = number(part, seen.file, seen.function, seen.known)
    if known is not None or not isinstance(part, ast.Attribute):
        return known
    place = _place(part.value, seen)
    given = _given(place) if place is not None and place.file else None
    if given is None:
        return None
    value, at = given
    asked = ast.copy_location(ast.Attribute(value, part.attr, ast.Load()), value)
    return number(asked, at.file, at.function, at.known)


def _stays(part: ast.expr, seen: Seen, hops: int) -> bool:
    """A container's length does not, nor does what lies in one, as far as is known."""
    if isinstance(part, ast.BinOp):
        return _stays(part.left, seen, hops) and _stays(part.right, seen, hops)
    place = _place(part, seen)
    if place is None or not all(map(_begins, _stored(place))):
        return isinstance(part, ast.Constant)
    scope = index(place.file).scopes.get(place.scope) if place.file else None
    if scope is None or place.name not in scope.parameters:
        return True
    given = _given(place) if hops else None
    return given is not None and _stays(*given, hops - 1)


def _place(part: ast.expr, seen: Seen) -> Place | None:
    match part:
        case ast.Name(id=name):
            return variable(seen.file, seen.function, name)
        case ast.Attribute(attr=name):
            return attribute(name)
    return None


def _stored(place: Place) -> Iterator[Store]:
    for file in mentioning(place, own_files()):
        yield from index(file).puts.get(place, ())


def _given(place: Place) -> tuple[ast.expr, Seen] | None:
    """What the call of a function that runs now, or else its only one, gives for the parameter
    that the place is.
    """
    found = (each for each in functions_of(place.file) if first_line(each) == place.scope)
    function = next(found, None)
    at = (_running(function, place.file) or only_call(function, own_files())) if function else None
    if function is None or at is None:
        return None
    file, call = at
    names = [each.arg for each in function.args.args]
    names = names[isinstance(call.func, ast.Attribute) and names[:1] == ["self"] :]
    given: dict[str | None, ast.expr] = {word.arg: word.value for word in call.keywords}
    value = (given | dict(zip(names, call.args, strict=False))).get(place.name)
    return (value, Seen(file, function_at(file, call.lineno), {})) if value is not None else None


def _running(function: Function, file: str) -> tuple[str, ast.Call] | None:
    """The call by which it runs now."""
    for outer, inner in pairwise(reaching(sys._getframe())):  # noqa: SLF001
        code, at, line = inner.f_code, outer.f_code.co_filename, outer.f_lineno
        if (code.co_filename, code.co_firstlineno) == (file, first_line(function)):
            for _, call in calls_of(function.name, [at]):
                if call.lineno <= line <= (call.end_lineno or line):
                    return at, call
    return None


def _begins(store: Store) -> bool:
    """Whether it stores once: in the constructor or the class, at the program's beginning."""
    if store.how != "assign" or store.in_loop:
        return False
    body = body_around(store.file, store.line)
    if store.constructs or isinstance(body, ast.Module):
        return True
    return body is not None and _runs_once(store.file, function_at(store.file, store.line))


def _begins_or_adds(store: Store) -> bool:
    match store.node:
        case ast.AugAssign(op=ast.Add(), value=ast.Constant(value=int(more))):
            return more > 0
        case ast.For(target=target, iter=iterated) as loop if store.how == "bind":
            return _counts(target, iterated, store.target) and _is_outermost(loop)
    return _begins(store)


def _counts(target: ast.expr, iterated: ast.expr, name: str) -> bool:
    """Whether a loop over that numbers its rounds by the name."""
    match iterated:
        case ast.Call(args=[inner, *_]) if called(iterated) in _SHOWING:
            return _counts(target, inner, name)
        case ast.Call() if called(iterated) == "enumerate":
            first = target.elts[0] if isinstance(target, ast.Tuple) else target
            return ast.unparse(first) == name
        case ast.Call(args=bounds, keywords=words) if called(iterated) in _COUNTING:
            steps = len(bounds) > (1 if called(iterated) == "count" else 2)
            steps = steps or any(word.arg == "step" for word in words)
            return ast.unparse(target) == name and not steps
    return False


def _is_outermost(loop: ast.For) -> bool:
    """Whether it is the first loop on the way from the program's beginning to what runs now."""
    return next((loops[0] for _, _, loops in _way() if loops), None) is loop


def _runs_once(file: str, function: int) -> bool:
    """Whether that function runs now, and no loop led to it."""
    for at, line, loops in _way():
        if (at, line) == (file, function):
            return True
        if loops:
            return False
    return False


def _way() -> Iterator[tuple[str, int, list[Any]]]:
    """The functions on that way, each with the loops that run in it, outermost first."""
    for frame in reaching(sys._getframe()):  # noqa: SLF001
        file, line = frame.f_code.co_filename, frame.f_lineno
        body = body_around(file, line)
        loops = loops_at(body, line) if body is not None else []
        function = MODULE if isinstance(body, ast.Module) else frame.f_code.co_firstlineno
        yield file, function, sorted(loops, key=lambda loop: loop.lineno)
