"""Which statements of a function gave a variable what it stands for at a line. Pure."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from gradwatch_agent.source.drawing import drawn_from
from gradwatch_agent.source.reading import base, called, parts
from gradwatch_agent.source.statements import Located
from gradwatch_agent.source.vocabulary import ADDING

Part: TypeAlias = tuple[object, ...]
"""Which part of a value is meant: the position or key of an element, the name of a field."""


@dataclass(frozen=True, slots=True)
class Binding:
    """One of them."""

    node: Located
    value: ast.expr
    part: Part = ()
    """Which part of the value."""
    adds: bool = False
    """What was there before stays in it."""
    key: tuple[object, ...] | None = None
    """Where it becomes an element of what is there: under this key, or () for one not known."""
    conditions: tuple[ast.stmt, ...] = ()
    """The choices and loops in which it stands."""

    def of(self, asked: Part) -> Part | None:
        """Which part of its value is meant where that part of the variable is; None if none is."""
        if self.key is None or not asked:
            return (*self.part, *asked)
        return None if self.key and self.key[0] != asked[0] else asked[1:]

    def surely_holds(self, line: int) -> bool:
        """Whether a reading in that line, behind it, finds what it gave."""
        around = all(each.lineno <= line <= (each.end_lineno or line) for each in self.conditions)
        return around and not self.adds


def bindings(body: ast.AST, name: str, line: int | None) -> tuple[list[Binding], bool]:
    """Those that may have done so, the last first, and whether one of them surely has. `line` is
    that of the reading; None if it is read from within another function.
    """
    every = _bindings_in(body).get(name, [])
    if line is None:
        return every[::-1], False
    own = [each for each in every if _draws_around(each.node, line)]
    if own:
        return own, True
    found: list[Binding] = []
    for each in reversed(every):
        if _head_ends(each.node) < line:
            found.append(each)
            if each.surely_holds(line):
                return found, True
    return found or [each for each in every if each.node.lineno > line], False


def _draws_around(node: Located, line: int) -> bool:
    comprehensions = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp
    return isinstance(node, comprehensions) and node.lineno <= line <= (node.end_lineno or line)


def _head_ends(node: Located) -> int:
    """In which line a statement ends, without its body."""
    body = getattr(node, "body", None)
    first: Located | None = body[0] if isinstance(body, list) and body else None
    return max(node.lineno, first.lineno - 1) if first else node.end_lineno or node.lineno


@lru_cache(maxsize=256)
def _bindings_in(body: ast.AST) -> dict[str, list[Binding]]:
    """By the names, in the order of their lines."""
    found: dict[str, list[Binding]] = defaultdict(list)
    inner = getattr(body, "body", [])
    for name, binding in _of_block(inner if isinstance(inner, list) else [], ()):
        found[name].append(binding)
    return found


def _of_block(
    block: list[ast.stmt], conditions: tuple[ast.stmt, ...]
) -> Iterator[tuple[str, Binding]]:
    for statement in block:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        within = conditions
        if isinstance(statement, ast.If | ast.For | ast.AsyncFor | ast.While | ast.Match):
            within = (*conditions, statement)
        yield from _of_statement(statement, within)
        for field in ("body", "orelse", "finalbody"):
            yield from _of_block(getattr(statement, field, None) or [], within)
        for case in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
            yield from _of_block(case.body, (*conditions, statement))


def _of_statement(
    statement: ast.stmt, conditions: tuple[ast.stmt, ...]
) -> Iterator[tuple[str, Binding]]:
    match statement:
        case ast.Assign(targets=targets, value=value):
            for target in targets:
                yield from _unpacked(statement, target, value, (), conditions)
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            yield from _unpacked(statement, target, value, (), conditions)
        case ast.AugAssign(target=ast.Name(id=name), value=value):
            yield name, Binding(statement, value, adds=True, conditions=conditions)
        case ast.For(target=target, iter=over) | ast.AsyncFor(target=target, iter=over):
            yield from _drawn(statement, target, over, conditions)
    for part in parts(statement):
        match part:
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                yield from _unpacked(statement, target, value, (), conditions)
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                yield name, Binding(statement, value, conditions=conditions)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                for each in part.generators:
                    yield from _drawn(part, each.target, each.iter, conditions)
            case ast.Call(func=ast.Attribute(value=whose)) if isinstance(base(whose), ast.Name):
                yield from _of_call(statement, part, base(whose), conditions)


def _of_call(
    statement: ast.stmt, call: ast.Call, whose: ast.expr, conditions: tuple[ast.stmt, ...]
) -> Iterator[tuple[str, Binding]]:
    """Of `losses.append(loss)`, `x.add_(y)`, `x.detach_()`."""
    if not isinstance(whose, ast.Name):
        return
    if called(call) in ("detach_", "requires_grad_"):
        yield whose.id, Binding(statement, call, conditions=conditions)
    elif called(call) in ADDING or (called(call).endswith("_") and called(call)[0] != "_"):
        into = None if called(call).endswith("_") else ()
        for value in call.args:
            yield whose.id, Binding(statement, value, adds=True, key=into, conditions=conditions)


def _unpacked(
    node: Located,
    target: ast.expr,
    value: ast.expr,
    part: Part,
    conditions: tuple[ast.stmt, ...],
) -> Iterator[tuple[str, Binding]]:
    match target:
        case ast.Name(id=name):
            yield name, Binding(node, value, part, conditions=conditions)
        case ast.Subscript(slice=key) if isinstance(inner := base(target), ast.Name):
            known = (key.value,) if isinstance(key, ast.Constant) else ()
            yield inner.id, Binding(node, value, part, adds=True, key=known, conditions=conditions)
        case ast.Starred(value=inner):
            yield from _unpacked(node, inner, value, part, conditions)
        case ast.Tuple(elts=targets) | ast.List(elts=targets):
            values = value.elts if isinstance(value, ast.Tuple | ast.List) and not part else []
            for number, each in enumerate(targets):
                if len(values) == len(targets):
                    yield from _unpacked(node, each, values[number], (), conditions)
                else:
                    yield from _unpacked(node, each, value, (*part, number), conditions)


def _drawn(
    node: Located, target: ast.expr, over: ast.expr, conditions: tuple[ast.stmt, ...]
) -> Iterator[tuple[str, Binding]]:
    for name in (part.id for part in ast.walk(target) if isinstance(part, ast.Name)):
        source = drawn_from(target, over, name)
        if source is not None:
            yield name, Binding(node, source, conditions=conditions)
