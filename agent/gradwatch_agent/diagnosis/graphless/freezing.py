"""Which statement took from weights that they require a gradient."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from gradwatch_agent.diagnosis.graphless.modules import kinds_of
from gradwatch_agent.diagnosis.graphless.scene import Spot
from gradwatch_agent.naming.modules import own_modules
from gradwatch_agent.source.calls import calls_of
from gradwatch_agent.source.drawing import drawn_from
from gradwatch_agent.source.indexing import index
from gradwatch_agent.source.loops import loops_at
from gradwatch_agent.source.reading import called, reads
from gradwatch_agent.source.severing import is_false
from gradwatch_agent.source.statements import Body, Function, body_around, choices_of, function_at
from gradwatch_agent.source.text import mentions, nodes, statement_at

Found = tuple[str, ast.stmt]


@dataclass(slots=True)
class Modules:
    """Whose weights the way back came by."""

    words: set[str] = field(default_factory=set)
    """By which they were called."""
    kinds: set[str] = field(default_factory=set)
    """The names of their classes."""
    bodies: set[int] = field(default_factory=set)
    """The `id`s of the functions that called them."""
    things: set[int] = field(default_factory=set)
    """Their own."""

    def meet(self, module: object, call: ast.Call, spot: Spot) -> None:
        """One of them is called."""
        self.words.update(re.findall(r"\w+", ast.unparse(call.func)))
        self.kinds.update(kinds_of(module))
        self.bodies.add(id(spot.scene.body))
        self.things.add(id(module))

    def named(self, spots: Iterable[Spot]) -> Modules:
        """With all names that they go by in modules' globals and in the functions that run."""
        spaces = [space for _, space in own_modules()]
        spaces += [spot.scene.values for spot in spots]
        for space in spaces:
            self.words |= {name for name, each in list(space.items()) if id(each) in self.things}
        return self


def frozen_by(modules: Modules, files: Collection[str]) -> Found | None:
    """The statement that froze the modules' weights: of a function that freezes whatever it is
    given, its call. None of one that speaks of others.
    """
    found: list[tuple[int, Found]] = []
    for file, node, whose, to in _freezing(files):
        if isinstance(to, ast.Constant) and not is_false(to):
            continue
        drawn = _drawn(file, node, whose)
        for at, speaks in _calls(file, node, drawn, to, files) or [((file, node), drawn)]:
            found.append((_distance(at, speaks, modules, files), at))
    nearest = min(found, key=lambda each: each[0], default=None)
    return nearest[1] if nearest is not None and nearest[0] < _FAR else None


_FAR: Final = 4


def _distance(at: Found, speaks: ast.expr, modules: Modules, files: Collection[str]) -> int:
    """How far off the modules are from what the statement speaks of, or its function is given."""
    file, node = at
    spoken, known = _words(speaks), modules.words - {"self"}
    scope = index(file).scopes.get(function_at(file, node.lineno))
    if "self" in spoken and scope is not None and scope.owner in modules.kinds:
        return 0
    body = body_around(file, node.lineno)
    if not spoken.isdisjoint(known):
        return 1 if id(body) in modules.bodies else 2
    calls = calls_of(body.name, files) if isinstance(body, Function) else ()
    given = (_words(each) for _, call in calls for each in call.args)
    return _FAR if all(words.isdisjoint(known) for words in given) else _FAR - 1


def _words(value: ast.expr) -> set[str]:
    return {word for read in reads(value) for word in read.split(".")}


def _freezing(files: Iterable[str]) -> Iterator[tuple[str, ast.stmt, ast.expr, ast.expr]]:
    """Each statement that takes from something that it requires a gradient, or may: with its file,
    whose gradient, and what it is set to.
    """
    for file in files:
        for node in nodes(file) if mentions(file, "requires_grad") else ():
            if isinstance(node, ast.Assign | ast.Expr):
                yield from ((file, node, *each) for each in _set_by(node))


def _set_by(node: ast.Assign | ast.Expr) -> Iterator[tuple[ast.expr, ast.expr]]:
    """By `p.requires_grad = False`, `p.requires_grad_(False)`, or a parameter that is new and
    requires none.
    """
    if isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Attribute) and target.attr == "requires_grad":
                yield target.value, node.value
    for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
        named = [keyword.value for keyword in call.keywords if keyword.arg == "requires_grad"]
        if called(call) == "requires_grad_" and isinstance(call.func, ast.Attribute):
            yield from ((call.func.value, to) for to in (*call.args[:1], *named))
        elif called(call) == "Parameter":
            put = node.targets if isinstance(node, ast.Assign) else []
            whose = ast.Tuple([*put, node.value], ast.Load())
            yield from ((whose, to) for to in (*call.args[1:2], *named))


def _drawn(file: str, node: ast.stmt, whose: ast.expr) -> ast.expr:
    """Of a loop's variable, what the loop goes over: `nets` of `for net in nets: for p in
    net.parameters()`.
    """
    body = body_around(file, node.lineno)
    for loop in reversed(loops_at(body, node.lineno)) if body is not None else ():
        name = _whole(whose)
        if not isinstance(loop, ast.While) and name is not None:
            whose = drawn_from(loop.target, loop.iter, name) or whose
    return whose


def _whole(value: ast.expr) -> str | None:
    """The variable of which it is all: `net` of `net.parameters()`."""
    match value:
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in _ALL:
            return name
    return None


_ALL: Final = ("parameters", "named_parameters", "modules", "children", "values", "items")


def _calls(
    file: str, node: ast.stmt, drawn: ast.expr, to: ast.expr, files: Collection[str]
) -> list[tuple[Found, ast.expr]]:
    """Where a function is called that freezes what it is given, or does so if it is told, and what
    it is given there. None of one that chooses itself what to freeze.
    """
    body = body_around(file, node.lineno)
    if body is None or isinstance(body, ast.Module):
        return []
    arguments = body.args
    every = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg)
    taken = {each.arg for each in every if each is not None} - {"self", "cls"}
    told = isinstance(to, ast.Name) and to.id in taken
    whole = isinstance(to, ast.Constant) and not _is_chosen(body, node)
    if not told and not (whole and _whole(drawn) in taken):
        return []
    found: list[tuple[Found, ast.expr]] = []
    for at, call in calls_of(body.name, files):
        statement = statement_at(at, call.lineno)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if statement is not None and (not told or any(map(is_false, given))):
            found.append(((at, statement), ast.Tuple(elts=given, ctx=ast.Load())))
    return found


def _is_chosen(body: Body, node: ast.stmt) -> bool:
    return any(each.lineno <= node.lineno <= (each.end_lineno or 0) for each in choices_of(body))
