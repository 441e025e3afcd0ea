"""Whether a statement runs again and again. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache

from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.scopes import within
from gradwatch_agent.source.syntax.statements import body_around, choices_of
from gradwatch_agent.source.syntax.text import nodes

LOOPS = (ast.For, ast.While, ast.AsyncFor)

_ROUNDS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda)
"""What may run again and again and has no statements."""


def is_made_once(store: Store) -> bool:
    """Whether it is stored before a loop: in a constructor, ahead of the loop that trains, or ahead
    of the functions that close over it.
    """
    if store.in_loop or store.how != "assign":
        return False
    if store.constructs:
        return True
    body = body_around(store.file, store.line)
    if body is not None and not isinstance(body, ast.Module) and _closes_over(body, store):
        return True
    return body is not None and any(
        isinstance(loop, LOOPS) and loop.lineno > store.end_line and _trains(loop)
        for statement in body.body
        if not (isinstance(body, ast.Module) and hasattr(statement, "name"))
        for loop in ast.walk(statement)
    )


def is_made_ahead(store: Store) -> bool:
    """Whether it is stored in a loop, ahead of an inner one that trains with it and leaves it as it
    is: once an epoch, for all of its batches. Or in a generator, ahead of the one that gives them.
    """
    return store.how == "assign" and any(
        _begins(loop) > store.end_line
        and (yields(loop) or (is_within and _trains(loop)))
        and _only_reads(loop, store.target)
        for loop, is_within in _inner_ones(store.file, store.line)
    )


def is_ahead_of_an_inner(file: str, line: int) -> bool:
    """Whether the line is in a loop, ahead of an inner one that trains."""
    inner = (loop for loop, is_within in _inner_ones(file, line) if is_within)
    return any(_begins(loop) > line and _trains(loop) for loop in inner)


def _inner_ones(file: str, line: int) -> Iterator[tuple[ast.For | ast.While | ast.AsyncFor, bool]]:
    """The loops within the innermost one around the line, that one too, and that they are; where
    none is around, those of its function.
    """
    body = body_around(file, line)
    around = loops_at(body, line) if body is not None else []
    for node in ast.walk(max(around, key=_begins, default=body or ast.Pass())):
        if isinstance(node, LOOPS):
            yield node, bool(around)


def _begins(loop: ast.For | ast.While | ast.AsyncFor) -> int:
    return loop.lineno


def _only_reads(loop: ast.AST, name: str) -> bool:
    """Whether something in it reads what goes by that name, and nothing gives it anything."""
    nodes = (node for node in ast.walk(loop) if isinstance(node, ast.Name | ast.Attribute))
    found = [type(node.ctx) for node in nodes if ast.unparse(node) == name]
    return bool(found) and set(found) == {ast.Load}


def _closes_over(body: ast.AST, store: Store) -> bool:
    """Whether a function that is defined later in the same body uses the variable."""
    return any(
        isinstance(node, ast.Name) and node.id == store.target
        for inner in ast.walk(body)
        if isinstance(inner, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        if inner.lineno > store.end_line
        for node in ast.walk(inner)
    )


def is_preparing(store: Store) -> bool:
    """Whether it stands ahead of the first loop that trains, be it in a loop of its own."""
    body = body_around(store.file, store.line)
    return body is not None and is_ahead(body, store.line)


def is_ahead(body: ast.AST, line: int, *, surely: bool = False) -> bool:
    """Whether the line comes before the first loop of the function that trains, if it has one.
    `surely`: one that only asks for gradients may be an iteration's own.
    """
    train = (loop for loop in _loops_of(body) if (_steps if surely else _trains)(loop))
    return line < min((loop.lineno for loop in train), default=0)


def loops_at(body: ast.AST, line: int) -> list[ast.For | ast.While | ast.AsyncFor]:
    """The function's loops in which the line is."""
    loops = _loops_of(body)
    return [loop for loop in loops if loop.lineno <= line <= (loop.end_lineno or loop.lineno)]


@lru_cache(maxsize=4_096)
def names_in_loop(file: str, line: int) -> frozenset[str]:
    """The variables that the function's outermost loop around the line speaks of."""
    body = body_around(file, line)
    loops = loops_at(body, line)[:1] if body is not None else []
    return frozenset(node.id for loop in loops for node in ast.walk(loop) if type(node) is ast.Name)


def is_in_a_round(file: str, call: ast.Call) -> bool:
    """Whether the call stands in a comprehension, or in a lambda, and may run again and again."""
    rounds = _rounds_of(file)
    return any(_ends(call) <= _ends(each) and _starts(each) <= _starts(call) for each in rounds)


@lru_cache(maxsize=512)
def _rounds_of(file: str) -> tuple[ast.expr, ...]:
    return tuple(node for node in nodes(file) if isinstance(node, _ROUNDS))


def _starts(node: ast.expr) -> tuple[int, int]:
    return node.lineno, node.col_offset


def _ends(node: ast.expr) -> tuple[int, int]:
    return node.end_lineno or node.lineno, node.end_col_offset or 0


@lru_cache(maxsize=4_096)
def _loops_of(body: ast.AST) -> tuple[ast.For | ast.While | ast.AsyncFor, ...]:
    return tuple(node for node in ast.walk(body) if isinstance(node, LOOPS))


def is_behind_backward(store: Store) -> bool:
    """Whether what it stores is for the next round alone."""
    return stands_behind_backward(store.file, store.line)


def stands_behind_backward(file: str, line: int) -> bool:
    """Whether the line is behind the last backward of the innermost loop with one that it is in, or
    of its function, and one of each round.
    """
    body = body_around(file, line)
    if body is None:
        return False
    around = sorted(loops_at(body, line), key=_begins, reverse=True)
    round_ = next((loop for loop in around if any(_backwards(loop))), body)
    calls = list(_backwards(round_))
    if not calls or max(call.lineno for call in calls) >= line:
        return False
    return not any(
        choice.lineno <= call.lineno <= (choice.end_lineno or 0) < line
        for choice in choices_of(round_)
        for call in calls
    )


def follows_a_backward(file: str, line: int) -> bool:
    """The same where that one need not be of each round, and may be asked for as a function."""
    body = body_around(file, line)
    around = sorted(loops_at(body, line), key=_begins, reverse=True) if body is not None else []
    round_ = next((loop for loop in around if any(_backwards(loop, "grad"))), body)
    calls = list(_backwards(round_, "grad")) if round_ is not None else []
    return bool(calls) and max(call.lineno for call in calls) < line


def _backwards(node: ast.AST, *others: str) -> Iterator[ast.Call]:
    """Not those of functions that are defined there. `others`: by these names, too."""
    calls = (each for each in within(node) if isinstance(each, ast.Call))
    return (call for call in calls if called(call) in ("backward", *others))


@lru_cache(maxsize=4_096)
def _trains(loop: ast.AST) -> bool:
    """Whether a backward or a step is called inside."""
    return any(
        isinstance(node, ast.Attribute) and node.attr in ("backward", "step", "grad")
        for node in ast.walk(loop)
    )


def yields(loop: ast.AST) -> bool:
    """Whether each of its rounds hands something out."""
    return any(isinstance(node, ast.Yield | ast.YieldFrom) for node in ast.walk(loop))


def yields_now_and_then(loop: ast.AST) -> ast.stmt | None:
    """Where some of its rounds do, and what those between have made goes along with theirs:
    `if (t + 1) % chunk == 0: yield torch.stack(outs)`.
    """
    counted = (n.body for n in ast.walk(loop) if isinstance(n, ast.If) and _counts(n.test))
    return next((each for body in counted for each in body if yields(each)), None)


def _counts(test: ast.expr) -> bool:
    return any(isinstance(n, ast.BinOp) and isinstance(n.op, ast.Mod) for n in ast.walk(test))


@lru_cache(maxsize=4_096)
def _steps(loop: ast.AST) -> bool:
    nodes = ast.walk(loop)
    return any(isinstance(n, ast.Attribute) and n.attr in ("backward", "step") for n in nodes)
