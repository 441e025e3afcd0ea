"""Who calls the function that a line stands in. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache

from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.dispatch import calls_by_word
from gradwatch_agent.source.flow.giving import fits
from gradwatch_agent.source.flow.loops import is_in_a_round, loops_at
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.syntax.statements import Function, body_around, function_at
from gradwatch_agent.source.syntax.text import nodes


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
            if body.name == "__init__" or fits(call, body):
                yield at, call
        yield from calls_by_word(name, files)


def names_of(file: str, line: int, files: Collection[str]) -> list[str]:
    """By what the function around the line is called: a constructor by its class, and by those that
    inherit from it. None for a module.
    """
    body = body_around(file, line)
    if body is None or isinstance(body, ast.Module):
        return []
    owner = index(file).scopes[function_at(file, line)].owner
    return _kinds_of(owner, tuple(files)) if body.name == "__init__" and owner else [body.name]


@lru_cache(maxsize=512)
def _kinds_of(kind: str, files: tuple[str, ...]) -> list[str]:
    bases = {
        node.name: {getattr(base, "attr", getattr(base, "id", "")) for base in node.bases}
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
