"""Whether a statement that asks for a length holds a list to a size: by what is done where it is
full, here or in the functions that are called here; or by adding to it only where it is not.
Pure but for reading.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain, pairwise
from typing import Final

from gradwatch_agent.kept.flagged import are_stopped
from gradwatch_agent.kept.spelled import Spelled, is_it
from gradwatch_agent.kept.taking import TAKING_FROM, leaves_out, taken_from
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import SWAPPED, called, is_empty, last_name
from gradwatch_agent.source.syntax.statements import Function, body_around, functions_named
from gradwatch_agent.source.syntax.text import nodes

_FULL: Final = (ast.Eq, ast.GtE, ast.Gt)
_LEFT: Final = (ast.Lt, ast.LtE, ast.NotEq)
"""How `len(it)` is compared where there is no room any more, and where there is some."""

_HOPS: Final = 2
"""Calls, one within the function that another one calls, by which it is let go."""


_OPPOSITE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
}


def compared(test: ast.expr, it: Spelled) -> Iterator[tuple[type[ast.cmpop], ast.expr]]:
    """`n`, of `len(window) >= n` or `n <= len(window)`, and how the length is compared with it; be
    it in a method or a property that only asks so, `if not self.full`.
    """
    for part in test.values if isinstance(test, ast.BoolOp) else (test,):
        if isinstance(part, ast.UnaryOp) and isinstance(part.op, ast.Not):
            for how, most in compared(part.operand, it):
                yield _OPPOSITE.get(how, how), most
        for one, op, other in _pairs(_of_one(_asked(part, it.file))):
            if _is_length(one, it):
                yield type(op), other
            elif _is_length(other, it):
                yield SWAPPED.get(type(op), type(op)), one


def _asked(part: ast.expr, file: str) -> ast.expr:
    """What an own method or property that is asked has to say, if that is all it does."""
    asked = part.func if isinstance(part, ast.Call) and not part.args else part
    match asked:
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return _said(name, file) or part
    return part


def _of_one(part: ast.expr) -> ast.expr:
    """What is asked of each: of `any(len(rows) >= n for rows in self.rows.values())`."""
    match part:
        case ast.Call(
            func=ast.Name(id="any" | "all"),
            args=[ast.GeneratorExp(elt=asked) | ast.ListComp(elt=asked)],
        ):
            return asked
    return part


def _said(name: str, file: str) -> ast.expr | None:
    """What the one function of that name in the file returns, if it does nothing else."""
    found = [each.body[-1] for _, each in functions_named(name, [file])]
    match found:
        case [ast.Return(value=said)]:
            return said
    return None


def _pairs(part: ast.expr) -> Iterator[tuple[ast.expr, ast.cmpop, ast.expr]]:
    if isinstance(part, ast.Compare):
        sides = pairwise((part.left, *part.comparators))
        yield from ((one, op, other) for (one, other), op in zip(sides, part.ops, strict=True))


def _is_length(part: ast.expr, it: Spelled) -> bool:
    match part:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name(id="self")]):
            said = _said("__len__", it.file)
            return said is not None and _is_length(said, it)
        case ast.Call(func=ast.Name(id="len"), args=[whole]):
            return is_it(whole, it)
    return False


def where_full(choice: ast.If | ast.While, how: type[ast.cmpop]) -> list[ast.stmt]:
    """What is done where there is no room any more, if the length is compared so."""
    return choice.body if issubclass(how, _FULL) else choice.orelse


def holds(
    choice: ast.If | ast.While,
    how: type[ast.cmpop],
    it: Spelled,
    adding: list[Store],
    files: Collection[str],
) -> bool:
    """Whether something is taken out of it where it is full, or nothing is added there."""
    full = where_full(choice, how)
    left = choice.body if issubclass(how, _LEFT) else choice.orelse
    leaves = bool(left) and isinstance(left[-1], ast.Return | ast.Continue)
    behind = _behind(it.file, choice) if leaves else []
    if any(_lets_go(part, known) for part, known in _done([*full, *behind], it, files)):
        return True
    if are_stopped(adding, full):
        return True
    lines = [(each.lineno, each.end_lineno or each.lineno) for each in left]
    if full and isinstance(full[-1], ast.Return | ast.Continue):
        body = body_around(it.file, choice.lineno)
        lines.append((choice.lineno, getattr(body, "end_lineno", None) or sys.maxsize))
    return bool(adding) and all(
        store.file == it.file and any(first <= store.line <= last for first, last in lines)
        for store in adding
    )


def replaces(choice: ast.IfExp, how: type[ast.cmpop], it: Spelled) -> bool:
    """Whether what is chosen where it is full takes something out of it, or is a function that
    does: `push = heappush if len(heap) < n else heappushpop`.
    """
    chosen = (choice.body, _FULL), (choice.orelse, _LEFT)
    parts = [part for each, hows in chosen if issubclass(how, hows) for part in ast.walk(each)]
    names = {last_name(part) for part in parts}
    return not names.isdisjoint(TAKING_FROM) or any(_lets_go(part, it) for part in parts)


def _behind(file: str, choice: ast.If | ast.While) -> list[ast.stmt]:
    """The statements of the same block that come after it, whatever else is so."""
    blocks = (
        block
        for node in nodes(file)
        for name in ("body", "orelse", "finalbody")
        if isinstance(block := getattr(node, name, None), list) and choice in block
    )
    block = next(blocks, [])
    after = block[block.index(choice) + 1 :] if block else []
    return [statement for statement in after if not hasattr(statement, "body")]


def _done(
    statements: Iterable[ast.AST], it: Spelled, files: Collection[str], hops: int = _HOPS
) -> Iterator[tuple[ast.AST, Spelled]]:
    """All parts of the statements, and of the program's functions that are called there; each with
    how the thing is known there.
    """
    for part in chain.from_iterable(map(ast.walk, statements)):
        yield part, it
        if hops and isinstance(part, ast.Call):
            for file, function in functions_named(called(part), files):
                known = _given(part, function, file, it)
                yield from _done(function.body, known, files, hops - 1)


def _given(call: ast.Call, function: Function, file: str, it: Spelled) -> Spelled:
    """The parameter for which the call gives the thing; else the same name, as an attribute's."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args)]
    if names[:1] in (["self"], ["cls"]):
        del names[0]
    by_place = zip(call.args, names, strict=False)
    by_name = ((keyword.value, keyword.arg or "") for keyword in call.keywords)
    known = (name for given, name in (*by_place, *by_name) if is_it(given, it))
    return next((Spelled(name, file) for name in known), replace(it, file=file))


def _lets_go(part: ast.AST, it: Spelled) -> bool:
    return (
        _empties(part, it)
        or any(is_it(each, it) for each in taken_from(part))
        or _is_thinned(part, it)
    )


def _is_thinned(part: ast.AST, it: Spelled) -> bool:
    """Whether some of what it held takes its place: `points = points[::2]`."""
    match part:
        case ast.Assign(targets=[target], value=value) if is_it(target, it):
            own = any(isinstance(e, ast.expr) and is_it(e, it) for e in ast.walk(value))
            return own and leaves_out(value)
    return False


def _empties(part: ast.AST, it: Spelled) -> bool:
    """Whether it has none after that; nor what it lies in."""
    match part:
        case ast.Call(func=ast.Attribute(value=whole, attr="clear")):
            return is_it(whole, it) or _is_around(whole, it)
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            return any(_begins_anew(*each, it) for each in zip(targets, values, strict=False))
        case ast.Assign(targets=targets, value=value):
            return any(_begins_anew(each, value, it) for each in targets)
    return False


def _begins_anew(target: ast.expr, value: ast.expr, it: Spelled) -> bool:
    """Whether what is given is empty or None; to a variable only where that is the thing itself."""
    if _is_around(target, it) and _are_empty(value):
        return True
    gone = isinstance(value, ast.Constant) and value.value is None
    if not (gone or is_empty(value)) or (it.within and isinstance(target, ast.Name)):
        return False
    return is_it(target, it) or _is_around(target, it)


def _is_around(part: ast.expr, it: Spelled) -> bool:
    """Whether it is what holds the lists of which it is one."""
    return it.within and is_it(part, replace(it, within=False))


def _are_empty(value: ast.expr) -> bool:
    """Whether all that lies in it is: `{task: [] for task in tasks}`, `[[], []]`."""
    match value:
        case ast.DictComp(value=each) | ast.ListComp(elt=each):
            return is_empty(each)
        case ast.Dict(values=parts) | ast.List(elts=parts):
            return all(map(is_empty, parts))
    return False
