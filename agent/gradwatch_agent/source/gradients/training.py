"""Whether a program computes a loss from what lies in an attribute. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from functools import lru_cache
from itertools import islice
from typing import Final

from gradwatch_agent.source.flow.calls import calls_of, nodes_with
from gradwatch_agent.source.gradients.following import parents_in
from gradwatch_agent.source.gradients.severing import asks_values
from gradwatch_agent.source.stored.stores import Place, place_read
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import Body, body_around
from gradwatch_agent.source.syntax.targets import sources
from gradwatch_agent.source.syntax.text import mentions, nodes
from gradwatch_agent.source.syntax.vocabulary import ADDING

_BACKWARD: Final = ("backward", "grad")

_LOOKING: Final = ("len", "print", "item", "tolist", "float", "detach", "no_grad")
"""Calls that look at a thing and no more."""


_MOST: Final = 16
"""Functions that read an attribute of that name, or call one that does: more have it in common."""


def trains_by(name: str, files: Collection[str], of: Collection[Place] | None = None) -> bool:
    """Whether a function reads the attribute that calls a backward, or hands what it works out to
    one that does: `torch.stack(episode.log_probs)`. Detached, it would train nothing. `of`: where
    the objects lie whose attribute alone is meant.
    """
    read: dict[Body, set[int]] = {}
    for file, body, node in _reads_of(name, files, of):
        if not asks_values(parents_in(file).get(id(node))):
            read.setdefault(body, set()).add(id(node))
    return _trained(read, files)


def reads_cut_alone(name: str, files: Collection[str], of: Collection[Place]) -> bool:
    """Whether the attribute of what lies there is read without its graph wherever it is read; where
    no read is known to be of that, any attribute of the name.
    """
    reads = list(_reads_of(name, files, of)) or list(_reads_of(name, files, None))
    return bool(reads) and all(
        asks_values(parents_in(file).get(id(node))) for file, _, node in reads
    )


def _reads_of(
    name: str, files: Collection[str], of: Collection[Place] | None
) -> Iterator[tuple[str, Body, ast.Attribute]]:
    for file, node in nodes_with(name, files):
        if isinstance(node, ast.Attribute) and node.attr == name and isinstance(node.ctx, ast.Load):
            body = body_around(file, node.lineno)
            if body is not None and (of is None or _is_of(node.value, file, body, of)):
                yield file, body, node


def trains_by_part(part: int, files: Collection[str], of: Collection[Place]) -> bool:
    """The same of one part of the tuples that lie in these places: `for log_prob, _ in steps`,
    `log_probs, rewards = zip(*steps)`.
    """
    read: dict[Body, set[int]] = {}
    for file in (each for each in files if any(mentions(each, place.name) for place in of)):
        for within, target, whole in _unpacked(file):
            body = body_around(file, whole.lineno)
            if body is None or part >= len(target.elts) or not _is_of(whole, file, body, of):
                continue
            names = {n.id for n in ast.walk(target.elts[part]) if isinstance(n, ast.Name)}
            loads = (n for n in ast.walk(within or body) if isinstance(n, ast.Name))
            found = {id(n) for n in loads if n.id in names and isinstance(n.ctx, ast.Load)}
            read.setdefault(body, set()).update(found)
    return _trained(read, files)


def _unpacked(file: str) -> Iterator[tuple[ast.AST | None, ast.Tuple, ast.expr]]:
    """Where tuples are taken apart: for how far the names hold (None: to the function's end), the
    names, and what the tuples are drawn from.
    """
    for node in nodes(file):
        match node:
            case ast.For(target=ast.Tuple() as target, iter=whole):
                yield node, target, whole
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                for each in node.generators:
                    if isinstance(each.target, ast.Tuple):
                        yield node, each.target, each.iter
            case ast.Assign(
                targets=[ast.Tuple() as target],
                value=ast.Call(func=ast.Name(id="zip"), args=[ast.Starred(value=whole)]),
            ):
                yield None, target, whole


def _trained(read: dict[Body, set[int]], files: Collection[str]) -> bool:
    """Whether one of the functions trains by what it reads, and does not merely look at it."""
    if len(read) > _MOST:
        return False
    return any(
        any(map(calls_backward, [body, *_callers(body, files)])) and own - _looked_at(body)
        for body, own in read.items()
    )


def _is_of(thing: ast.expr, file: str, body: Body, places: Collection[Place]) -> bool:
    """Whether it lies in one of these places, or is drawn from there: `for step in episode`."""
    drawn = [
        each.iter
        for each in ast.walk(body)
        if isinstance(each, ast.comprehension) and isinstance(thing, ast.Name)
        if any(isinstance(n, ast.Name) and n.id == thing.id for n in ast.walk(each.target))
    ]
    every = [source for each in drawn or [thing] for source in sources(each)]
    return any(place_read(file, each) in places for each in every)


@lru_cache(maxsize=512)
def _looked_at(body: Body) -> frozenset[int]:
    """What is not read there for what it holds: it is added to, or merely looked at."""
    found: set[int] = set()
    for call in (each for each in ast.walk(body) if isinstance(each, ast.Call)):
        if called(call) in _LOOKING:
            found.update(map(id, ast.walk(call)))
        elif isinstance(call.func, ast.Attribute) and called(call) in (*ADDING, "clear", "pop"):
            found.add(id(call.func.value))
    return frozenset(found)


@lru_cache(maxsize=512)
def calls_backward(body: ast.AST) -> bool:
    """Whether it calls a backward, or asks for gradients."""
    return any(isinstance(n, ast.Call) and called(n) in _BACKWARD for n in ast.walk(body))


def _callers(body: Body, files: Collection[str]) -> list[Body]:
    """The functions that call it, if it gives them anything, or that draw it from there."""
    gives = (ast.Return, ast.Yield)
    if isinstance(body, ast.Module) or not any(
        isinstance(node, gives) and node.value is not None for node in ast.walk(body)
    ):
        return []
    calls = list(islice(calls_of(body.name, files), _MOST + 1))
    around = [body_around(file, call.lineno) for file, call in calls if len(calls) <= _MOST]
    return [each for each in around if each is not None]
