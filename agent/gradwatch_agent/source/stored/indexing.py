"""One index for each file: statements by the place they store into, and other names of things.
Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from gradwatch_agent.source.stored.caches import is_cache, may_be_kept
from gradwatch_agent.source.stored.freshness import settle
from gradwatch_agent.source.stored.noting import Here, Notes
from gradwatch_agent.source.syntax.places import Index, Place, attribute
from gradwatch_agent.source.syntax.scopes import MODULE, Function, Scope, enter
from gradwatch_agent.source.syntax.statements import parameters_of
from gradwatch_agent.source.syntax.text import tree


@lru_cache(maxsize=512)
def index(file: str) -> Index:
    """The statements of a file by what they store into."""
    found = Index()
    module = tree(file)
    if module is not None:
        _Walk(Scope(file, MODULE), found).run(module)
    return found


class _Walk:
    """Over a file's tree, once, with what stands where told to the notes."""

    def __init__(self, scope: Scope, into: Index) -> None:
        self._index = into
        self._notes = Notes(into, Here(scope))

    def run(self, module: ast.Module) -> None:
        self._index.scopes[MODULE] = self._notes.here.scope
        self._inside(module.body)
        settle(self._index, self._notes.values)

    def _inside(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self._visit(node)

    def _visit(self, node: ast.AST) -> None:
        before = self._notes.here
        if isinstance(node, ast.stmt):
            self._notes.here = replace(before, statement=node)
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._enter(node, before)
            case ast.ClassDef():
                self._index.classes.add(node.name)
                self._go_on(owner=node.name, in_class_body=True, in_loop=False)
            case ast.For() | ast.AsyncFor() | ast.While():
                self._notes.note(node)
                self._go_on(in_loop=True)
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self._go_on(in_loop=True)
            case _:
                self._notes.note(node)
        self._inside(ast.iter_child_nodes(node))
        self._notes.here = before

    def _go_on(self, **changes: Any) -> None:
        self._notes.here = replace(self._notes.here, **changes)

    def _enter(self, node: Function, around: Here) -> None:
        scope = enter(node, around.scope, around.owner if around.in_class_body else "")
        self._index.scopes[scope.line] = scope
        self._index.functions[scope.name].append(scope)
        self._go_on(scope=scope, in_class_body=False)
        if isinstance(node, ast.Lambda):
            return
        if any(map(is_cache, node.decorator_list)):
            self._cached(node, around)
        self._go_on(in_loop=False)

    def _cached(self, node: ast.FunctionDef | ast.AsyncFunctionDef, around: Here) -> None:
        """What the function returns is stored under its name, and what it is asked with."""
        here, home = self._notes.here, around.scope.home(node.name)
        own = Place(home.file, home.line, node.name)
        place = attribute(node.name) if around.in_class_body else own
        named = (
            ast.Name(each.arg, ast.Load()) for each in parameters_of(node) if may_be_kept(each)
        )
        asked = [*named]
        for part in ast.walk(node):
            if isinstance(part, ast.Return) and part.value is not None:
                self._go_on(statement=part)
                name = ast.Name(node.name, ast.Load())
                self._notes.add(place, name, "return", [part.value, *asked])
        self._notes.here = here
