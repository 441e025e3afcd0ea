"""Which statements of a function gave a variable what it stands for at a line. Pure."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from gradwatch_agent.source.flow.drawing import drawn_from
from gradwatch_agent.source.flow.loops import LOOPS
from gradwatch_agent.source.syntax.reading import base, called, names_given, parts
from gradwatch_agent.source.syntax.statements import Located, is_in, is_within
from gradwatch_agent.source.syntax.vocabulary import ADDING

Part: TypeAlias = tuple[object, ...]
"""Which part of a value is meant: the position or key of an element, the name of a field."""


class Condition(NamedTuple):
    """A choice or a loop, and the block of it in which something stands."""

    statement: ast.stmt
    block: list[ast.stmt]

    def parts(self, line: int) -> bool:
        """Whether the line is in it too, be it in another block."""
        return is_within(self.statement, line)


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
    conditions: tuple[Condition, ...] = ()
    """The choices and loops in which it stands."""

    @property
    def whole(self) -> ast.expr | None:
        """What the variable is given; None if that does not stand there by itself."""
        match self.part, self.value:
            case (), value if self.key is None:
                return value
            case (int(at),), ast.Tuple(elts=elts) if self.key is None and at < len(elts):
                return elts[at]
        return None

    def of(self, asked: Part) -> Part | None:
        """Which part of its value is meant where that part of the variable is; None if none is."""
        if self.key is None or not asked:
            return (*self.part, *asked)
        return None if self.key and self.key[0] != asked[0] else asked[1:]

    def may_reach(self, line: int) -> bool:
        """Whether no choice parts it from that line: it does not stand in the other branch."""
        return all(is_in(each.block, line) or not each.parts(line) for each in self.conditions)

    def surely_reaches(self, line: int) -> bool:
        """Whether a reading in that line, behind it, finds what it gave."""
        return not self.adds and all(is_in(each.block, line) for each in self.conditions)


_COMPREHENSIONS: Final = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)


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
    every = [each for each in every if not isinstance(each.node, _COMPREHENSIONS)]  # its own alone
    found: list[Binding] = []
    for each in reversed([one for one in every if one.may_reach(line)]):
        if _head_ends(each.node) < line:
            found.append(each)
            if each.surely_reaches(line):
                return [*found, *_in_the_round_before(every, line, each)], True
    return found + _in_the_round_before(every, line, None), False


def _in_the_round_before(every: list[Binding], line: int, known: Binding | None) -> list[Binding]:
    """Those further down in a loop around the line that does not begin with what is known."""
    begun = {id(each.statement) for each in known.conditions} if known is not None else set()
    later = [each for each in every if _head_ends(each.node) >= line]
    return [
        each
        for each in later
        if any(
            isinstance(loop.statement, LOOPS)
            and id(loop.statement) not in begun
            and is_in(loop.block, line)
            for loop in each.conditions
        )
    ]


def is_own(body: ast.AST, name: str) -> bool:
    """Whether the variable is the function's own: a parameter, or one that it gives something."""
    return name in parameters_of(body) or (name in _bindings_in(body) and name in _named_in(body))


@lru_cache(maxsize=256)
def _named_in(body: ast.AST) -> frozenset[str]:
    """The names that are given something there: who calls a method of a thing, `net.eval()`, or
    puts something into it, need not have named it.
    """
    shared = (node for node in ast.walk(body) if isinstance(node, ast.Global))
    return names_given(body) - {name for node in shared for name in node.names}


@lru_cache(maxsize=512)
def parameters_of(body: ast.AST) -> frozenset[str]:
    """The names of a function's or lambda's parameters."""
    taken = getattr(body, "args", None)
    if not isinstance(taken, ast.arguments):
        return frozenset()
    every = (*taken.posonlyargs, *taken.args, *taken.kwonlyargs, taken.vararg, taken.kwarg)
    return frozenset(each.arg for each in every if each is not None)


def _draws_around(node: Located, line: int) -> bool:
    return isinstance(node, _COMPREHENSIONS) and node.lineno <= line <= (node.end_lineno or line)


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
    block: list[ast.stmt], conditions: tuple[Condition, ...]
) -> Iterator[tuple[str, Binding]]:
    for statement in block:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        inner = getattr(statement, "body", [])
        loops = isinstance(statement, LOOPS)
        head = (*conditions, Condition(statement, inner)) if loops else conditions
        yield from _of_statement(statement, head)
        for part, chosen in _blocks_of(statement):
            condition = (Condition(statement, part),) if chosen else ()
            yield from _of_block(part, (*conditions, *condition))


def _blocks_of(statement: ast.stmt) -> Iterator[tuple[list[ast.stmt], bool]]:
    """Its blocks in their order, and whether each is run only under some condition."""
    chosen = isinstance(statement, (ast.If, ast.Match, *LOOPS))
    yield getattr(statement, "body", []), chosen
    for each in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        yield each.body, True
    yield getattr(statement, "orelse", []), chosen
    yield getattr(statement, "finalbody", []), False


def _of_statement(
    statement: ast.stmt, conditions: tuple[Condition, ...]
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
    statement: ast.stmt, call: ast.Call, whose: ast.expr, conditions: tuple[Condition, ...]
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
    conditions: tuple[Condition, ...],
) -> Iterator[tuple[str, Binding]]:
    match target:
        case ast.Name(id=name):
            yield name, Binding(node, value, part, conditions=conditions)
        case ast.Subscript(slice=key) if isinstance(inner := base(target), ast.Name):
            known = (key.value,) if isinstance(key, ast.Constant) else ()
            yield inner.id, Binding(node, value, part, adds=True, key=known, conditions=conditions)
        case ast.Subscript(value=ast.Attribute(value=ast.Name(id=name), attr="data") as data):
            # What is written there leaves its graph behind: `out.data[i:j] = piece`.
            bare = ast.copy_location(ast.Attribute(value, data.attr, ast.Load()), value)
            yield name, Binding(node, bare, part, adds=True, conditions=conditions)
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
    node: Located, target: ast.expr, over: ast.expr, conditions: tuple[Condition, ...]
) -> Iterator[tuple[str, Binding]]:
    for name in (part.id for part in ast.walk(target) if isinstance(part, ast.Name)):
        source = drawn_from(target, over, name)
        if source is not None:
            yield name, Binding(node, source, conditions=conditions)
