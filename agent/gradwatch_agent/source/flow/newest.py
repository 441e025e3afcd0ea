"""Where a program reads of a list what was appended last, nothing else. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import Final

from gradwatch_agent.source.flow.calls import nodes_with
from gradwatch_agent.source.flow.giving import callees, given_as
from gradwatch_agent.source.syntax.reading import base, called, last_name
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.targets import pairs
from gradwatch_agent.source.syntax.text import mentions, nodes

_READING: Final = (
    ast.Subscript,
    ast.Call,
    ast.For,
    ast.comprehension,
    ast.Starred,
    ast.Return,
    ast.Assign,
)

_LOOKING: Final = frozenset(("item", "tolist", "numpy", "detach", "data", "float", "int", "print"))
"""What makes of a tensor something that trains nothing, and calls that only look."""


def newest_read(name: str, keys: int, files: Iterable[str]) -> list[ast.expr]:
    """How far back the lists by that name, a variable's or an attribute's, are read that lie under
    so many keys, if it is from their ends that they are, and somewhere as tensors: a hook lists
    what a layer gives, and the loss takes it from there. None else.
    """
    back, trains = _read_back(name, keys, files)
    return back if trains else []


def newest_looked_at(name: str, keys: int, files: Iterable[str]) -> bool:
    """Whether the last of such a list is all that is read of it, and nothing trains by it."""
    back, trains = _read_back(name, keys, files)
    return not trains and {ast.unparse(far) for far in back} == {"1"}


def _read_back(name: str, keys: int, files: Iterable[str]) -> tuple[list[ast.expr], bool]:
    """How far back each reading goes; none, where one begins elsewhere. And whether it is as
    tensors that something is read.
    """
    known = [file for file in files if mentions(file, name)]
    found = list(nodes_with(name, known))
    every = [node for _, node in found]
    looking = {id(part) for node in every if _only_looks(node) for part in ast.walk(node)}
    reading = (each for each in every if isinstance(each, _READING))
    shortened = {id(node.value) for node in every if isinstance(node, ast.Assign) and _cuts(node)}
    every_reading = _readings(list(reading), name, keys, known)
    readings = [each for each in every_reading if id(each) not in shortened]
    back = [far for node in readings if (far := _far_back(node)) is not None]
    read = set(map(id, readings))
    given = [(file, n) for file, n in found if isinstance(n, ast.Assign) and id(n.value) in read]
    looking |= {id(node.value) for file, node in given if _looks(node, file)}
    trains = any(id(node) not in looking for node in readings)
    return back if len(back) == len(readings) else [], trains


def _looks(statement: ast.Assign, file: str) -> bool:
    """Whether what it gives a variable is only looked at: each, say, of `recent = rows[-5:]`."""
    body, target = body_around(file, statement.lineno), statement.targets[0]
    if body is None or not isinstance(target, ast.Name):
        return False
    every, names, looked_at = list(ast.walk(body)), [target.id], False
    looking = {id(part) for node in every if _only_looks(node) for part in ast.walk(node)}
    looking |= {id(part) for node in every for part in _counted(node)}
    for name in names:
        for node in every:
            if isinstance(node, ast.For | ast.comprehension) and _is_called(node.iter, name):
                names += [n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)]
                looking.add(id(node.iter))
            elif _is_called(node, name):
                looked_at = True
                if id(node) not in looking:
                    return False
    return looked_at


def _counted(node: ast.AST) -> list[ast.expr]:
    """What it asks for its length alone."""
    match node:
        case ast.Call(func=ast.Name(id="len" | "bool"), args=arguments):
            return arguments
    return []


def _is_called(node: ast.AST, name: str) -> bool:
    loads = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    return loads and getattr(node, "id", "") == name


def _cuts(statement: ast.Assign) -> bool:
    """`rows = rows[-3:]`, which reads nothing of it."""
    value, target = statement.value, ast.unparse(statement.targets[0])
    return isinstance(value, ast.Subscript) and ast.unparse(value.value) == target


def _readings(every: list[ast.AST], name: str, keys: int, files: list[str]) -> Iterator[ast.expr]:
    """The expressions that read an element of such a list, or hand it on as a whole, but for those
    that give it, or a list in it, another name: of that one, its own.
    """
    waiting, known = [(name, keys)], set()
    while waiting:
        known.add(one := waiting.pop())
        for node in every:
            for value in _whole_lists(node, *one):
                drawn = isinstance(node, ast.For | ast.comprehension)
                aliases, left = _aliases(node, value, files), one[1] - _depth(value) - drawn
                if not aliases:
                    yield value
                waiting += [(each, left) for each in aliases if (each, left) not in known]
            if isinstance(node, ast.Subscript) and _is_element(node, *one):
                yield node


def _is_element(node: ast.Subscript, name: str, keys: int) -> bool:
    reads = isinstance(node.ctx, ast.Load)
    return reads and last_name(base(node)) == name and _depth(node) == keys + 1


def _whole_lists(node: ast.AST, name: str, keys: int) -> Iterator[ast.expr]:
    for value in _handed_on(node):
        if last_name(base(value)) == name and _depth(value) <= keys:
            yield value


def _handed_on(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Name(id="len" | "bool")):
            return  # how many lie there, and no more
        case ast.Call(args=arguments, keywords=keywords):
            yield from (*arguments, *(each.value for each in keywords))
        case ast.For(iter=value) | ast.comprehension(iter=value):
            yield _of_each(value)
        case ast.Starred(value=value):
            yield value
        case ast.Return(value=ast.expr() as value) | ast.Assign(value=value):
            yield value


def _aliases(node: ast.AST, value: ast.expr, files: list[str]) -> list[str]:
    """The names by which what it hands on, spelled so, is known: those that it gives it itself, or
    the parameters of the program's own function that it calls with it.
    """
    if isinstance(node, ast.Call):
        asked = [function for _, function in callees(node, files)]
        return [each for own in asked for each in given_as(ast.unparse(value), node, own)]
    alias = _alias(node)
    return [alias] if alias is not None else []


def _alias(node: ast.AST) -> str | None:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name
        case (
            ast.For(target=target, iter=ast.Call() as over)
            | ast.comprehension(target=target, iter=ast.Call() as over)
        ) if _of_each(over) is not over:
            last = target.elts[-1] if isinstance(target, ast.Tuple) else target
            return last.id if isinstance(last, ast.Name) else None
    return None


def _of_each(value: ast.expr) -> ast.expr:
    """The dict, of `rows.values()` and `rows.items()`, of which a loop draws each list."""
    match value:
        case ast.Call(func=ast.Attribute(value=whole, attr="values" | "items"), args=[]):
            return whole
    return value


def _far_back(node: ast.expr) -> ast.expr | None:
    """`k`, of `rows[-k]` and `rows[-k:]`; `1 + k`, of `rows[-1 - k]`."""
    match node:
        case (
            ast.Subscript(slice=ast.UnaryOp() | ast.BinOp() as at)
            | ast.Subscript(slice=ast.Slice(lower=ast.expr() as at, upper=None, step=None))
        ):
            return _negated(at)
    return None


def _negated(at: ast.expr) -> ast.expr | None:
    """What is taken from nothing there: `k` of `-k`."""
    match at:
        case ast.UnaryOp(op=ast.USub(), operand=back):
            return back
        case ast.BinOp(left=left, op=ast.Sub(), right=right):
            first = _negated(left)
            return ast.BinOp(first, ast.Add(), right) if first is not None else None
    return None


def begins_with_its_length(name: str, files: Iterable[str]) -> str | None:
    """What the next iteration goes on from, where that is how many lie in a list of that name by
    then: `start`, which is 0 at first, and `len(rows)` later.
    """
    for file, node in nodes_with(name, files):
        match node:
            case ast.Assign(
                targets=[ast.Name() | ast.Attribute() as start],
                value=ast.Call(func=ast.Name(id="len"), args=[whole]),
            ) if last_name(base(whole)) == name and _is_naught(ast.unparse(start), file):
                return ast.unparse(start)
    return None


def begins_with_anothers_length(name: str, files: Iterable[str]) -> bool:
    """Whether what an iteration has put into a list of that name is read from where another one
    ended before: `start = len(rewards)`, `log_probs[start:]`.
    """
    for file, node in nodes_with(name, files):
        match node:
            case ast.Subscript(value=whole, slice=ast.Slice(lower=ast.Name(id=start))) if (
                last_name(base(whole)) == name
            ):
                lengths = (value for target, value in _given_in(file) if target == start)
                if any(_length_of(value) not in ("", name) for value in lengths):
                    return True
    return False


def _given_in(file: str) -> Iterator[tuple[str, ast.expr]]:
    return ((ast.unparse(t), value) for node in nodes(file) for t, value in pairs(node))


def _length_of(value: ast.expr) -> str:
    """Of what it is the length."""
    match value:
        case ast.Call(func=ast.Name(id="len"), args=[whole]):
            return last_name(base(whole)) or ""
    return ""


def _is_naught(start: str, file: str) -> bool:
    """Whether it is given 0 somewhere."""
    return any(
        ast.unparse(target) == start and isinstance(value, ast.Constant) and value.value == 0
        for node in nodes(file)
        for target, value in pairs(node)
    )


def _only_looks(node: ast.AST) -> bool:
    match node:
        case ast.Call():
            return called(node) in _LOOKING
        case ast.Attribute(attr=attribute):
            return attribute in _LOOKING
    return isinstance(node, ast.FormattedValue)


def _depth(node: ast.expr) -> int:
    """How many subscripts lead from the variable to it."""
    return 1 + _depth(node.value) if isinstance(node, ast.Subscript) else 0
