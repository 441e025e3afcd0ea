"""How many elements a container may come to have: what it is made to hold, or what the program
itself holds it to: `if len(pool) < 50: pool.append(fake)`, `while len(cache) > cap:
cache.popitem()`, `if len(block) == 10: block.clear()`, `del best[5:]`.

Of these it is known how many graphs they may come to hold, where it is known how many that is. Must
not know graphs.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any, Final

from gradwatch_agent.kept.bounds import limit_of
from gradwatch_agent.kept.few_keys import keys_in
from gradwatch_agent.kept.flagged import are_stopped, filled_wherever
from gradwatch_agent.kept.restarts import trained_one_by_one
from gradwatch_agent.kept.spelled import Spelled, is_into, is_it, spelled
from gradwatch_agent.kept.when_full import compared, holds, replaces, where_full
from gradwatch_agent.naming import Path
from gradwatch_agent.naming.containers import size_of
from gradwatch_agent.naming.values import known_in, number
from gradwatch_agent.source.flow.loops import is_made_once
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import Store, variable
from gradwatch_agent.source.syntax.statements import function_at
from gradwatch_agent.source.syntax.targets import deleted
from gradwatch_agent.source.syntax.text import mentions, nodes

ADDING: Final = ("append", "insert", "extend", "heappush", "insort", "insort_left", "insort_right")
"""Calls by which a list has one more, wherever it is put."""


def most_in(
    container: Collection[Any], path: Path, stored: list[Store], files: Collection[str]
) -> int | None:
    """Of the container that the path leads to; None if that is not known, or proved wrong: it has
    come to have more than the program seems to hold it to.
    """
    if (most := limit_of(container)) is not None:
        return most
    if _is_ring(container, stored):
        return size_of(container)
    if (most := keys_in(container, path, stored)) is not None:
        return most
    adding = [store for store in stored if _adds(container, path, store)]
    most = held_to(path, adding, files)
    if most is None and issubclass(type(container), list):
        most = trained_one_by_one(adding, files)
    return most if most is not None and size_of(container) <= most + 1 else None


def outgrows(
    container: Collection[Any], path: Path, stored: list[Store], files: Collection[str]
) -> bool:
    """Whether it has come to have more than the program seems to hold it to."""
    most = held_to(path, [store for store in stored if _adds(container, path, store)], files)
    return most is not None and size_of(container) > most + 1


def _is_ring(container: Collection[Any], stored: list[Store]) -> bool:
    """Whether it is a list whose slots are filled anew, one after the other, for ever:
    `ring[i % n] = x`.
    """
    into = (s for s in stored if s.how != "assign" or s.target.endswith("]") or s.accumulates)
    later = [store for store in into if not is_made_once(store)]
    return (
        issubclass(type(container), list)
        and bool(later)
        and all(store.how == "assign" and _comes_round(store) for store in later)
    )


def _comes_round(store: Store) -> bool:
    """Whether the place where it stores is a remainder, there or where that was worked out."""
    target = next(iter(getattr(store.node, "targets", [])), None)
    if not isinstance(target, ast.Subscript) or isinstance(target.slice, ast.Slice):
        return False
    place = target.slice
    if any(isinstance(part, ast.Mod) for part in ast.walk(place)):
        return True
    name = ast.unparse(place)
    return any(
        isinstance(node, ast.Assign | ast.AugAssign)
        and name in map(ast.unparse, getattr(node, "targets", [getattr(node, "target", None)]))
        and any(isinstance(part, ast.Mod) for part in ast.walk(node))
        for node in nodes(store.file)
    )


def _adds(container: Collection[Any], path: Path, store: Store) -> bool:
    """Whether the statement may give it one more: of a list, none that fills a slot anew."""
    if not is_into(store, spelled(path, store.file)):
        return False
    if store.how == "assign" and store.target.endswith("]"):
        return issubclass(type(container), dict)
    return store.accumulates or store.how in ADDING


def held_to(path: Path, adding: list[Store], files: Collection[str]) -> int | None:
    """How many elements the container that the path leads to has at most, by what is done about it
    when it has them; None if nothing is, or it is not known how many. `adding`: what adds to it.
    """
    for file in files if path.attribute else (path.file,):
        for line, most in _sizes(spelled(path, file), adding, files):
            function = function_at(file, line)
            if _is_its(path, file, function):
                count = number(most, file, function, known_in(path, file, line))
                if count is not None:
                    return count
    return None


def _sizes(
    it: Spelled, adding: list[Store], files: Collection[str]
) -> Iterator[tuple[int, ast.expr]]:
    """The sizes to which statements of the file hold it, and where."""
    for node in _holding(it.file) if mentions(it.file, it.name) else ():
        if isinstance(node, ast.If | ast.While):
            for how, most in compared(node.test, it):
                if holds(node, how, it, adding, files):
                    yield node.lineno, most
            for other in filled_wherever(adding) - {it.name}:
                for how, most in compared(node.test, Spelled(other, it.file)):
                    if are_stopped(adding, where_full(node, how)):
                        yield node.lineno, most
        elif isinstance(node, ast.IfExp):
            for how, most in compared(node.test, it):
                if replaces(node, how, it):
                    yield node.lineno, most
        else:
            yield from ((node.lineno, most) for most in _left_of(node, it))


@lru_cache(maxsize=512)
def _holding(file: str) -> tuple[ast.If | ast.While | ast.IfExp | ast.Delete | ast.Assign, ...]:
    """What may hold something to a size."""
    kinds = (ast.If, ast.While, ast.IfExp, ast.Delete, ast.Assign)
    return tuple(node for node in nodes(file) if isinstance(node, kinds))


def _left_of(statement: ast.Delete | ast.Assign, it: Spelled) -> Iterator[ast.expr]:
    """`n`, of `del best[n:]`, `del last[:-n]`, `last = last[-n:]` or `best = sorted(best)[:n]`."""
    match deleted(statement):
        case [ast.Subscript(value=whole, slice=ast.Slice(step=None) as cut)]:
            if is_it(whole, it):
                yield from _counted(cut.upper, cut.lower)
    match statement:
        case ast.Assign(
            targets=[target],
            value=ast.Subscript(value=whole, slice=ast.Slice(step=None) as cut),
        ):
            if isinstance(target, ast.Subscript) and isinstance(target.slice, ast.Slice):
                target = target.value
            elif it.within and isinstance(target, ast.Name):
                return  # only the variable is given something else
            if is_it(target, it) and any(
                isinstance(part, ast.expr) and is_it(part, it) for part in ast.walk(whole)
            ):
                yield from _counted(cut.lower, cut.upper)


def _counted(first: ast.expr | None, last: ast.expr | None) -> Iterator[ast.expr]:
    """Of what lies from there to there, how many that is at most."""
    match first, last:
        case ast.UnaryOp(op=ast.USub(), operand=most), None:
            yield most
        case None, ast.expr() if not isinstance(last, ast.UnaryOp):
            yield last


def _is_its(path: Path, file: str, function: int) -> bool:
    """Whether the name is the same thing's in that function: the variable, an own attribute."""
    if not path.attribute:
        return variable(file, function, path.name) == variable(file, path.line, path.name)
    scope = index(file).scopes.get(function)
    return scope is not None and scope.owner in path.owners
