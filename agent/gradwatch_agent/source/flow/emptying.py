"""Where a program empties containers; and of lists that are filled side by side, which one it
forgets. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.stored.stores import Place, Store, place_read
from gradwatch_agent.source.syntax.comments import without_comment
from gradwatch_agent.source.syntax.reading import base, called, is_empty, last_name
from gradwatch_agent.source.syntax.statements import body_around, functions_of
from gradwatch_agent.source.syntax.targets import deleted
from gradwatch_agent.source.syntax.text import code_of, mentions, nodes
from gradwatch_agent.source.syntax.vocabulary import CONSTRUCTING

_EMPTYING = ("pop", "popleft", "clear")

_BY_CHANCE = (
    *("sample", "choice", "choices", "shuffle", "permutation", "randperm"),
    *("randint", "randrange", "integers"),
)

_FILLING = ("append", "add", "insert", "extend")


class Emptied(NamedTuple):
    """A statement that empties a list."""

    code: str
    what: str
    """The list, as the statement spells it."""
    gone: str = ""
    """The slice that goes, where some stays: `:-5`."""


def emptied_beside(store: Store) -> Emptied | None:
    """Where one is emptied that the same function fills, or that is the same variable's; nothing
    if the one that the statement fills is emptied somewhere, too.
    """
    found = list(_emptied_in(store.file))
    own, siblings = _last(store.target), filled_by(store)
    if own in {_last(each.what) for each in found}:
        return None
    return next(
        (each for each in found if _last(each.what) in siblings or _is_beside(each, store)), None
    )


def is_emptied_by_key(name: str, files: Iterable[str]) -> bool:
    """Whether a list is emptied that is the value of a key of the dict so called: `taps[k].pop()`,
    `self.taps[k].clear()`.
    """
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in _EMPTYING
        and isinstance(node.func.value, ast.Subscript)
        and _last(ast.unparse(node.func.value.value)) == name
        for file in files
        if mentions(file, name)
        for node in nodes(file)
    )


def filled_beside(store: Store) -> list[str]:
    """The lists that the same function fills, of the same object, that are read where the one that
    the statement fills is; none if one of them is emptied.
    """
    own, base = _last(store.target), store.target.rpartition(".")[0]
    emptied = {_last(each.what) for each in _emptied_in(store.file)}
    read = {
        name
        for function in functions_of(store.file)
        if function.lineno != store.scope and base
        if own in (names := _attributes_of(base, function))
        for name in names
    }
    return sorted(each for each in filled_by(store) & read if each not in {own, *emptied})


def is_handed_out(store: Store) -> bool:
    """Whether a method of its file hands the list out and leaves an empty one: `drain()`."""
    return any(
        function.name not in CONSTRUCTING
        and function.lineno != store.scope
        and any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(function))
        and any(_takes_its_place(node, store.target) for node in ast.walk(function))
        for function in functions_of(store.file)
        if "." in store.target
    )


def _takes_its_place(node: ast.AST, target: str) -> bool:
    """`self.entries = []`, alone or as one of several."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            pairs = list(zip(targets, values, strict=False))
        case ast.Assign(targets=targets, value=value):
            pairs = [(each, value) for each in targets]
        case _:
            return False
    return any(ast.unparse(one) == target and is_empty(value) for one, value in pairs)


def _attributes_of(owner: str, function: ast.AST) -> set[str]:
    """Those that the function speaks of, of what goes by that name."""
    found = (node for node in ast.walk(function) if isinstance(node, ast.Attribute))
    return {node.attr for node in found if ast.unparse(node.value) == owner}


def _is_beside(emptied: Emptied, store: Store) -> bool:
    base = store.target.rpartition(".")[0]
    return base not in ("", "self") and emptied.what.rpartition(".")[0] == base


def filled_by(store: Store) -> set[str]:
    """The last names of what the function around the statement appends to."""
    body = body_around(store.file, store.line)
    calls = (node for node in ast.walk(body) if isinstance(node, ast.Call)) if body else ()
    return {
        _last(ast.unparse(call.func.value))
        for call in calls
        if isinstance(call.func, ast.Attribute) and call.func.attr in _FILLING
    }


def _emptied_in(file: str) -> Iterator[Emptied]:
    for node in nodes(file):
        match node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=what, attr="clear"), args=[])):
                yield Emptied(code_of(file, node), ast.unparse(what))
            case ast.For(
                target=ast.Name(id=name),
                iter=ast.Tuple(elts=several) | ast.List(elts=several),
                body=[ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=each)) as how))],
            ) if each == name and how.attr == "clear":
                head = without_comment(code_of(file, node))
                yield from (Emptied(head, ast.unparse(one)) for one in several)
            case ast.Delete() | ast.Assign():
                for part in deleted(node):
                    if isinstance(part, ast.Subscript) and isinstance(part.slice, ast.Slice):
                        gone = ast.unparse(part.slice)
                        some = gone if gone != ":" else ""
                        yield Emptied(code_of(file, node), ast.unparse(part.value), some)


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def emptied_at(known: Collection[Place], files: Iterable[str]) -> Iterator[tuple[str, int]]:
    """The files and lines where what lies in one of these places is emptied."""
    for file, line, place in emptied({place.name for place in known}, files):
        if place in known:
            yield file, line


def emptied(names: Collection[str], files: Iterable[str]) -> Iterator[tuple[str, int, Place]]:
    """What is emptied in the files that mention one of the names, each with its file and line."""
    for file in files:
        if any(mentions(file, name) for name in names):
            yield from ((file, line, place) for line, place in _places_emptied_in(file))


@lru_cache(maxsize=512)
def _places_emptied_in(file: str) -> tuple[tuple[int, Place], ...]:
    """What is emptied, and in which lines; be it that the method is handed to whoever calls it."""
    found: list[tuple[int, Place]] = []
    for node in nodes(file):
        match node:
            case ast.Attribute(value=what, attr="clear"):
                emptied = [what]
            case ast.Delete() | ast.Assign():
                emptied = [
                    each.value
                    for each in deleted(node)
                    if isinstance(each, ast.Subscript) and isinstance(each.slice, ast.Slice)
                ]
            case _:
                continue
        found += [(node.lineno, place) for each in emptied if (place := place_read(file, each))]
    return tuple(found)


def is_drawn_by_chance(name: str, files: Iterable[str]) -> bool:
    """Whether what lies in a container of that name is picked at random, again and again."""
    calls = (call for each in _BY_CHANCE for _, call in calls_of(each, files))
    given = (each for call in calls for argument in call.args for each in _counted(argument))
    return any(name == last_name(base(each)) for each in given)


def _counted(argument: ast.expr) -> Iterator[ast.expr]:
    """The pool itself, and what it is as long as: `range(len(pool))`."""
    yield argument
    for part in ast.walk(argument):
        if isinstance(part, ast.Call) and called(part) == "len":
            yield from part.args
