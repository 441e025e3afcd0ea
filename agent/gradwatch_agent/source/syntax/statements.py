"""Which function a line stands in, and what that one's statements are. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Iterator
from functools import lru_cache
from typing import TypeAlias

from gradwatch_agent.source.syntax.scopes import MODULE, first_line
from gradwatch_agent.source.syntax.text import mentions, nodes, tree

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef
Body: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Module
Located: TypeAlias = ast.stmt | ast.expr
"""What stands in a line."""


@lru_cache(maxsize=512)
def functions_of(file: str) -> tuple[Function, ...]:
    """All functions and methods in a file."""
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    return tuple(node for node in nodes(file) if isinstance(node, functions))


def parameters_of(function: Function) -> tuple[ast.arg, ...]:
    """All that it takes by a name of its own; no `*row`, no `**options`."""
    taken = function.args
    return (*taken.posonlyargs, *taken.args, *taken.kwonlyargs)


def functions_named(name: str, files: Iterable[str]) -> list[tuple[str, Function]]:
    """Those that go by the name, each with its file; files that do not mention it are not read."""
    mentioning = (file for file in files if mentions(file, name))
    return [(file, each) for file in mentioning for each in functions_of(file) if each.name == name]


def classes_named(name: str, files: Iterable[str]) -> Iterator[tuple[str, ast.ClassDef]]:
    """The same of classes."""
    for file in files:
        for node in nodes(file) if mentions(file, name) else ():
            if isinstance(node, ast.ClassDef) and node.name == name:
                yield file, node


def methods_of(kind: str, name: str, files: Iterable[str]) -> Iterator[tuple[str, Function]]:
    """The method of that name in each class of the other, with its file."""
    for file, node in classes_named(kind, files):
        every = (each for each in node.body if isinstance(each, Function))
        yield from ((file, each) for each in every if each.name == name)


@lru_cache(maxsize=4_096)
def body_around(file: str, line: int) -> Body | None:
    """The innermost function around a line, else the module; None where there is no source."""
    around = [
        node
        for node in functions_of(file)
        if first_line(node) <= line <= (node.end_lineno or node.lineno)
    ]
    return max(around, key=lambda node: node.lineno, default=tree(file))


def is_within(node: ast.stmt, line: int) -> bool:
    """Whether the line is one of the statement's."""
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def is_in(block: list[ast.stmt], line: int) -> bool:
    """The same of a block of statements."""
    return bool(block) and block[0].lineno <= line <= (block[-1].end_lineno or line)


@lru_cache(maxsize=4_096)
def choices_of(body: ast.AST) -> tuple[ast.If, ...]:
    """All that stand anywhere in it."""
    return tuple(node for node in ast.walk(body) if isinstance(node, ast.If))


def is_chosen(file: str, line: int) -> bool:
    """Whether what stands there is done under a condition of the function around."""
    body = body_around(file, line)
    return body is not None and any(
        is_in(choice.body, line) or is_in(choice.orelse, line) for choice in choices_of(body)
    )


def function_at(file: str, line: int) -> int:
    """The first line of the innermost function around a line, as its code object tells it."""
    body = body_around(file, line)
    return MODULE if body is None or isinstance(body, ast.Module) else first_line(body)


def statements_of(file: str, line: int) -> list[ast.stmt]:
    """The simple statements of the innermost function around a line, in their order."""
    body = body_around(file, line)
    found = _simple(body) if body is not None else []
    return sorted(found, key=lambda statement: statement.lineno)


def _simple(node: ast.AST) -> list[ast.stmt]:
    found: list[ast.stmt] = []
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(child, ast.stmt) and not hasattr(child, "body"):
            found.append(child)
        else:
            found += _simple(child)
    return found


def is_in_custom_forward(file: str, line: int) -> bool:
    """Whether it stands in the forward of a custom Function: what is put away there gets its graph
    only once that has returned.
    """
    body = body_around(file, line)
    return (
        isinstance(body, ast.FunctionDef)
        and body.name == "forward"
        and any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in body.decorator_list)
    )


def are_in_a_row(file: str, statements: Collection[ast.stmt]) -> bool:
    """Whether they stand in one block, so that those behind run only where those ahead ran."""
    blocks = (
        block
        for node in nodes(file)
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody"))
        if isinstance(block, list)
    )
    return any(all(each in block for each in statements) for block in blocks)


def lambda_at(file: str, line: int) -> ast.Lambda | None:
    """The only one that begins in the line."""
    found = [n for n in nodes(file) if isinstance(n, ast.Lambda) and n.lineno == line]
    return found[0] if len(found) == 1 else None


def results_of(function: Function | ast.Lambda) -> list[tuple[Located, ast.expr]]:
    """What it hands back or yields, each with the statement that does."""
    if isinstance(function, ast.Lambda):
        return [(function.body, function.body)]
    found: list[tuple[Located, ast.expr]] = []
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            continue
        if isinstance(node, ast.Return | ast.Yield) and node.value is not None:
            found.append((node, node.value))
        waiting += ast.iter_child_nodes(node)
    return found
