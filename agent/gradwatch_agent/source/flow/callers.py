"""Who calls the function that a line stands in. Pure but for reading."""

from __future__ import annotations

import ast
import itertools
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.flow.calls import calls_of, nodes_with
from gradwatch_agent.source.flow.dispatch import calls_by_word
from gradwatch_agent.source.flow.entering import BLOCKS, ENTERING, LEAVING
from gradwatch_agent.source.flow.giving import fits
from gradwatch_agent.source.flow.loops import is_in_a_round, loops_at
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import owner_at
from gradwatch_agent.source.syntax.reading import called, last_name
from gradwatch_agent.source.syntax.statements import Function, body_around, function_at
from gradwatch_agent.source.syntax.targets import pairs
from gradwatch_agent.source.syntax.text import nodes
from gradwatch_agent.source.syntax.vocabulary import CONSTRUCTING

_MOST_CALLS: Final = 64
"""Of one function; what each gives it is followed to where that comes from."""


def callers(
    file: str, line: int, files: Collection[str], also: Collection[str] = ()
) -> Iterator[tuple[str, ast.Call]]:
    """All calls that may be of it, each with its file: by its name, or one of those in `also`, or
    by saying the name to who calls it. `net.train()` is none of `def train(net)`; but classes that
    inherit a constructor, or wrap it, may take other things than it does.
    """
    body = body_around(file, line)
    if not isinstance(body, Function):
        return
    for name in (*names_of(file, line, files), *also):
        for at, call in calls_of(name, files):
            if body.name in CONSTRUCTING or fits(call, body):
                yield at, call
        yield from calls_by_word(name, files)


def calls_as(file: str, line: int, files: Collection[str]) -> Iterator[tuple[str, ast.Call]]:
    """All calls of the function around the line, each with its file, by whatever it is called: of
    a `__call__` by what its objects are called, of a prepared one, `log = partial(record, book)`,
    by that. None where there are too many: it has its name in common with others (`append`).
    """
    body = body_around(file, line)
    if not isinstance(body, Function):
        return
    owner = owner_at(file, line)
    makes = owner if body.name == "__call__" else body.name
    also = [*_given_what_makes(makes, files, "partial" if makes == body.name else "")]
    own = () if body.name == "__call__" else (body.name,)
    every = (each for name in dict.fromkeys((*own, *also)) for each in calls_of(name, files))
    found = list(itertools.islice((each for each in every if fits(each[1], body)), _MOST_CALLS + 1))
    yield from found if len(found) <= _MOST_CALLS else ()


def made_by(file: str, line: int, files: Collection[str]) -> list[str]:
    """By what else the function around the line is called: a module's `forward` by what the module
    goes by, one that another hands back by what that is called.
    """
    body = body_around(file, line)
    if not isinstance(body, Function):
        return []
    scope = index(file).scopes[function_at(file, line)]
    if body.name in ("forward", "__call__", *ENTERING, *LEAVING):
        return list(dict.fromkeys(_given_what_makes(scope.owner, files, "")))
    around = body_around(file, scope.parent.line) if scope.parent is not None else None
    if not isinstance(around, Function) or not any(
        isinstance(node, ast.Return) and last_name(node.value) == body.name
        for node in ast.walk(around)
    ):
        return []
    return list(dict.fromkeys(_given_what_makes(around.name, files, "")))


def run_by_blocks(
    file: str, line: int, files: Collection[str]
) -> Iterator[tuple[str, ast.With | ast.AsyncWith, int]]:
    """The `with` blocks that run the `__enter__` or `__exit__` around the line, each with its file
    and the line ahead of which it does.
    """
    body = body_around(file, line)
    if not isinstance(body, Function) or body.name not in (*ENTERING, *LEAVING):
        return
    makes, names = kinds_of(owner_at(file, line), tuple(files)), made_by(file, line, files)
    for at in files:
        for block in (node for node in nodes(at) if isinstance(node, BLOCKS)):
            entered = [item.context_expr for item in block.items]
            if any(
                called(each) in makes if isinstance(each, ast.Call) else last_name(each) in names
                for each in entered
            ):
                left = (block.end_lineno or block.lineno) + 1
                yield at, block, left if body.name in LEAVING else block.lineno


def _given_what_makes(name: str, files: Collection[str], by: str) -> Iterator[str]:
    """The names that are given what a call of it makes; or, of one `by` another, given it first."""
    for _, node in nodes_with(by or name, files):
        for target, value in pairs(node):
            if isinstance(value, ast.Call):
                first = value.args[0] if by and value.args else None
                if called(value) == (by or name) and (not by or last_name(first) == name):
                    yield last_name(target)


def names_of(file: str, line: int, files: Collection[str]) -> list[str]:
    """By what the function around the line is called: a constructor by its class, and by those that
    inherit from it. None for a module.
    """
    body = body_around(file, line)
    if body is None or isinstance(body, ast.Module):
        return []
    owner = owner_at(file, line)
    return kinds_of(owner, tuple(files)) if body.name in CONSTRUCTING and owner else [body.name]


@lru_cache(maxsize=512)
def kinds_of(kind: str, files: tuple[str, ...]) -> list[str]:
    """The class, and those that inherit from it."""
    bases = {
        node.name: set(map(last_name, node.bases))
        for file in files
        for node in nodes(file)
        if isinstance(node, ast.ClassDef)
    }
    found = [kind]
    for name in found:
        found += [each for each, above in bases.items() if name in above and each not in found]
    return found


def is_called_in_a_loop(file: str, line: int, files: Collection[str]) -> bool:
    """Whether some loop, or comprehension, calls the function that the line stands in."""
    return any(is_again(at, call) for at, call in callers(file, line, files))


def is_again(file: str, call: ast.Call) -> bool:
    """Whether it is made in a loop, or in a comprehension."""
    body = body_around(file, call.lineno)
    return is_in_a_round(file, call) or (body is not None and bool(loops_at(body, call.lineno)))
