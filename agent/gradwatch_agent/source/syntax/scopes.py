"""Which function a variable belongs to, by Python's own rules. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

MODULE: Final = 0
"""The scope of a module's own variables; that of a function is its first line."""


@dataclass(slots=True)
class Scope:
    """A function, or the module itself."""

    file: str
    line: int
    """Where its code begins, decorators included: as code objects tell it."""
    name: str = ""
    owner: str = ""
    """The class whose method it is."""
    parent: Scope | None = None
    parameters: list[str] = field(default_factory=list)
    rest: str = ""
    """The parameter that takes all further positions."""
    words: bool = False
    """Whether it takes any further keyword."""
    own: set[str] = field(default_factory=set)
    """Variables of its own."""
    outer: set[str] = field(default_factory=set)
    """Variables declared nonlocal or global."""

    def home(self, name: str) -> Scope:
        """The scope whose variable the name is, seen from here."""
        scope = self
        while scope.parent is not None and (name not in scope.own or name in scope.outer):
            scope = scope.parent
        return scope


def first_line(node: Function) -> int:
    """As a code object tells it."""
    decorators = getattr(node, "decorator_list", ())
    return int(min([node.lineno, *(decorator.lineno for decorator in decorators)]))


def enter(node: Function, parent: Scope, owner: str) -> Scope:
    """The scope of a function that is met."""
    arguments = node.args
    named = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    rest = [a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None]
    scope = Scope(
        parent.file,
        first_line(node),
        getattr(node, "name", "<lambda>"),
        owner,
        parent,
        parameters=named,
        rest=arguments.vararg.arg if arguments.vararg else "",
        words=arguments.kwarg is not None,
        own={*named, *rest},
    )
    for part in within(node):
        if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load):
            scope.own.add(part.id)
        elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            scope.own.add(part.name)
        elif isinstance(part, ast.Nonlocal | ast.Global):
            scope.outer.update(part.names)
        elif isinstance(part, ast.ExceptHandler) and part.name:
            scope.own.add(part.name)
    return scope


def within(node: ast.AST) -> Iterator[ast.AST]:
    """What belongs to the function, or the block, itself; of a function inside it no more than that
    it is there.
    """
    body = getattr(node, "body", [])
    waiting: list[ast.AST] = list(body) if isinstance(body, list) else [body]
    while waiting:
        part = waiting.pop()
        yield part
        if not isinstance(part, SCOPES):
            waiting.extend(ast.iter_child_nodes(part))


SCOPES: Final = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def reads_outer(node: Function | ast.ClassDef, name: str) -> bool:
    """Whether it, or what is made in it, may read a variable of that name which is not its own."""
    read = any(_is(part, name) for head in _heads(node) for part in ast.walk(head))
    return read or closes_over(node, name)


def closes_over(node: Function | ast.ClassDef, name: str) -> bool:
    """Whether it may read it when it is called, not while it is made."""
    given = (part for head in _heads(node) for part in ast.walk(head))
    if any(isinstance(part, ast.Lambda) and closes_over(part, name) for part in given):
        return True
    if not isinstance(node, ast.ClassDef) and name in enter(node, Scope("", MODULE), "").own:
        return False
    return any(
        reads_outer(part, name) if isinstance(part, SCOPES) else _is(part, name)
        for part in within(node)
    )


def _heads(node: Function | ast.ClassDef) -> list[ast.AST]:
    """What is read outside of it, while it is made: decorators, bases, defaults."""
    heads: list[ast.AST] = list(getattr(node, "decorator_list", ()))
    return heads + (
        [*node.bases, *node.keywords] if isinstance(node, ast.ClassDef) else [node.args]
    )


def _is(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
