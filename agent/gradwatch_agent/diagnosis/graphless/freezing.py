"""Which statement took from weights that they require a gradient."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from gradwatch_agent.diagnosis.graphless.whose import FAR, Modules, distance, words
from gradwatch_agent.source.flow.callers import callers
from gradwatch_agent.source.flow.drawing import drawn_from, element_of
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.gradients.severing import is_false
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import Body, body_around, choices_of
from gradwatch_agent.source.syntax.text import mentions, nodes, statement_at

Found = tuple[str, ast.stmt]

RENEWING: Final = ("Parameter", "from_pretrained", "deepcopy")
"""By which new weights are made, that require a gradient or not."""

_SPOKEN: Final = ("requires_grad", "requires_grad_", *RENEWING)
"""Without one of these a file freezes nothing."""


def frozen_by(modules: Modules, files: Collection[str]) -> Found | None:
    """The statement that froze the modules' weights: of a function that freezes whatever it is
    given, its call. None of one that speaks of others.
    """
    found: list[tuple[int, Found]] = []
    nameless: set[int] = set()
    for file, node, whose, to in _freezing(files):
        if isinstance(to, ast.Constant) and not is_false(to):
            continue
        drawn = _drawn(file, node, whose)
        for at, speaks in _calls(file, node, drawn, to, files) or [((file, node), drawn)]:
            off = distance(at, speaks, modules, files)
            nameless |= {id(at[1])} if _is_of_none(whose, speaks) else set()
            copied = isinstance(to, ast.Call)  # who froze what it is a copy of, would be told first
            found.append((off + (copied and off < FAR), at))
    off, nearest = min(found, key=lambda each: each[0], default=(FAR, None))
    only = len({id(node) for _, (_, node) in found}) == 1 and len(nameless) == 1
    return nearest if off < FAR or only else None


def _is_of_none(whose: ast.expr, speaks: ast.expr) -> bool:
    """Whether it freezes tensors out of a collection, and speaks of no module: if there is none but
    that one, it has done it.
    """
    called_there = (called(node) for node in ast.walk(speaks) if isinstance(node, ast.Call))
    return speaks is not whose and _ALL.isdisjoint(called_there)


def _freezing(files: Iterable[str]) -> Iterator[tuple[str, ast.stmt, ast.expr, ast.expr]]:
    """Each statement that takes from something that it requires a gradient, or may: with its file,
    whose gradient, and what it is set to.
    """
    for file in files:
        for node in nodes(file) if any(mentions(file, each) for each in _SPOKEN) else ():
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
    if isinstance(node, ast.Assign) and (frozen := _comes_frozen(node.value)) is not None:
        yield from ((target, frozen) for target in node.targets)
    for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
        named = [keyword.value for keyword in call.keywords if keyword.arg == "requires_grad"]
        if called(call) == "requires_grad_" and isinstance(call.func, ast.Attribute):
            yield from ((call.func.value, to) for to in (*call.args[:1], *named))
        elif called(call) == "Parameter":
            put = node.targets if isinstance(node, ast.Assign) else []
            whose = ast.Tuple([*put, node.value], ast.Load())
            yield from ((whose, to) for to in (*call.args[1:2], *named))


def _comes_frozen(value: ast.expr) -> ast.expr | None:
    """What a copy, or a table that is read in, is set to: as what it was made of is."""
    if not isinstance(value, ast.Call):
        return None
    flags = [keyword.value for keyword in value.keywords if keyword.arg == "freeze"]
    if called(value) == "from_pretrained" and ast.unparse(value.func).count("Embedding"):
        return flags[0] if flags else ast.Constant(value=False)
    return value if called(value) == "deepcopy" else None


def _drawn(file: str, node: ast.stmt, whose: ast.expr) -> ast.expr:
    """Of a loop's variable, what the loop goes over: `nets` of `for net in nets: for p in
    net.parameters()`; of a variable that is one of several, those: `stages` of `stages[k]`.
    """
    body = body_around(file, node.lineno)
    for loop in reversed(loops_at(body, node.lineno)) if body is not None else ():
        if isinstance(loop, ast.While):
            continue
        if (name := _whole(whose)) is not None:
            whose = drawn_from(loop.target, loop.iter, name) or whose
        elif any(drawn_from(loop.target, loop.iter, each) for each in words(whose)):
            whose = ast.Tuple([whose, loop.iter], ast.Load())
    taken = element_of(file, node.lineno, _whole(whose) or "")
    return taken if taken is not None else whose


def _whole(value: ast.expr) -> str | None:
    """The variable of which it is all: `net` of `net.parameters()`."""
    match value:
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)) if attr in _ALL:
            return name
    return None


_ALL: Final = {"parameters", "named_parameters", "modules", "children", "values", "items"}


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
    for at, call in callers(file, node.lineno, files):
        statement = statement_at(at, call.lineno)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if statement is not None and (not told or any(map(is_false, given))):
            found.append(((at, statement), ast.Tuple(elts=given, ctx=ast.Load())))
    return found


def _is_chosen(body: Body, node: ast.stmt) -> bool:
    return any(each.lineno <= node.lineno <= (each.end_lineno or 0) for each in choices_of(body))
