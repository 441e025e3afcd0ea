"""Whether a variable carries anything from one round of its loop to the next. Pure but for reading.

It does not where each round gives it something new before it reads it: so much the syntax tree
tells, without following branches.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from gradwatch_agent.source.flow.loops import LOOPS, yields
from gradwatch_agent.source.syntax.places import Store
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.scopes import SCOPES, closes_over, within
from gradwatch_agent.source.syntax.statements import Body, body_around

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

_Loop: TypeAlias = ast.For | ast.AsyncFor | ast.While


def is_reborn(name: str, stores: Iterable[Store], now: int = 0) -> bool:
    """`stores`: all statements that store into the variable, those ahead of the loop too. `now`:
    the line where its function calls the backward, if that is known: what stands in loops within
    is the same round's.
    """
    looped = [store for store in stores if store.in_loop]
    body = body_around(looped[0].file, looped[0].line) if looped else None
    if body is None or _is_seen_elsewhere(body, name):
        return False
    around = {tuple(_loops_around(body, store.line)) for store in looped}
    walked = tuple(_loops_around(body, now))
    shared = around.pop() if len(around) == 1 else walked
    loops = walked if walked and shared[: len(walked)] == walked else shared
    if not loops or any(each[: len(loops)] != loops for each in around):
        return False
    *outer, inner = loops
    if not now and any(map(yields, _loops_in(inner))):
        return False  # one round of it lasts for several of whoever draws from the generator
    within = {id(node) for node in ast.walk(inner)}
    if any(id(each) not in within for loop in outer for each in _mentions(loop, name)):
        return False
    asked = inner.test if isinstance(inner, ast.While) else inner.iter
    return not _speaks(asked, name) and _binds_first(inner.body, name)


def begins_anew(file: str, line: int, name: str) -> bool:
    """Whether each round of the innermost loop around the line gives the variable a value before it
    reads it: what the line gives it, nothing above reads.
    """
    body = body_around(file, line)
    loops = _loops_around(body, line) if body is not None else []
    if body is None or not loops or _is_seen_elsewhere(body, name):
        return False
    return _binds_first(loops[-1].body, name)


def _loops_in(loop: _Loop) -> Iterator[_Loop]:
    return (node for node in ast.walk(loop) if isinstance(node, LOOPS) and node is not loop)


def _loops_around(body: ast.AST, line: int) -> list[_Loop]:
    """The loops in whose body the line is, the innermost last."""
    around = [
        node
        for node in ast.walk(body)
        if isinstance(node, LOOPS)
        and node.body[0].lineno <= line <= (node.body[-1].end_lineno or line)
    ]
    return sorted(around, key=lambda loop: loop.lineno)


def _is_seen_elsewhere(body: Body, name: str) -> bool:
    """Whether a function that is made there may read it, whenever that is called, or it is not
    this function's own.
    """
    declared = (node for node in ast.walk(body) if isinstance(node, ast.Global | ast.Nonlocal))
    return any(name in node.names for node in declared) or any(
        isinstance(node, SCOPES) and closes_over(node, name) for node in within(body)
    )


def _binds_first(statements: Sequence[ast.stmt], name: str) -> bool:
    """Whether the first of them that speaks of it stores into it, and does nothing else with it."""
    first = next((each for each in statements if _speaks(each, name)), None)
    match first:
        case ast.Assign(targets=targets, value=value):
            read = [value, *(target for target in targets if not _names(target, name))]
            return len(read) <= len(targets) and not any(_speaks(each, name) for each in read)
        case ast.AnnAssign(target=target, value=value) if value is not None:
            return not _speaks(value, name) and _names(target, name)
        case ast.With(items=items, body=inner) | ast.AsyncWith(items=items, body=inner):
            if any(_speaks(item.context_expr, name) or _suppresses(item) for item in items):
                return False
            given = [item.optional_vars for item in items if item.optional_vars is not None]
            return any(_names(each, name) for each in given) or _binds_first(inner, name)
        case ast.Try(body=inner, handlers=handlers):
            return all(map(_leaves, handlers)) and _binds_first(inner, name)
        case (
            ast.For(target=target, iter=value, orelse=[])
            | ast.AsyncFor(target=target, iter=value, orelse=[])
        ) if _names(target, name):  # which may have no round: nobody else may read it then
            alone = all(each is first or not _speaks(each, name) for each in statements)
            return alone and not _speaks(value, name)
        case ast.For(iter=value, body=inner, orelse=[]):  # as over the steps of a sequence
            return not _speaks(value, name) and _binds_first(inner, name)
        case ast.If(test=test, body=body, orelse=other):  # of which no branch may be taken
            alone = all(each is first or not _speaks(each, name) for each in statements)
            ways = [way for way in (body, other) if any(_speaks(each, name) for each in way)]
            return alone and not _speaks(test, name) and all(_binds_first(w, name) for w in ways)
    return False


def _leaves(handler: ast.ExceptHandler) -> bool:
    """Whether a round that failed ends there."""
    return isinstance(handler.body[-1], ast.Raise | ast.Continue | ast.Break | ast.Return)


def _suppresses(item: ast.withitem) -> bool:
    """Whether its block may end early, and leave the variable as it was."""
    made = item.context_expr
    return isinstance(made, ast.Call) and called(made) == "suppress"


def _names(target: ast.expr, name: str) -> bool:
    """Whether it is the variable itself, or one of several that are given something."""
    match target:
        case ast.Name(id=given):
            return given == name
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return any(_names(part, name) for part in parts) and not any(
                _speaks(part, name) for part in parts if not _names(part, name)
            )
        case ast.Starred(value=value):
            return _names(value, name)
    return False


def _speaks(node: ast.AST, name: str) -> bool:
    return any(True for _ in _mentions(node, name))


def _mentions(node: ast.AST, name: str) -> Iterator[ast.Name]:
    """Where it is read or given something; a comprehension's own variables are others."""
    waiting = [node]
    while waiting:
        here = waiting.pop()
        if isinstance(here, ast.Name) and here.id == name:
            yield here
        if isinstance(here, _COMPREHENSIONS) and any(
            _names(g.target, name) for g in here.generators
        ):
            waiting.append(here.generators[0].iter)
        else:
            waiting.extend(ast.iter_child_nodes(here))
