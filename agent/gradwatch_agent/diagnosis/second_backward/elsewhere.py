"""Where else than by the loss that fails is read what both losses need, if in one place: there it
belongs to the first one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

from gradwatch_agent.advice.rewriting import detached, name_detached, replaced
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.diagnosis.second_backward.freed import Shared
from gradwatch_agent.diagnosis.second_backward.parted import needs_none
from gradwatch_agent.diagnosis.second_backward.spelling import spelled
from gradwatch_agent.graph.walking import made_of
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.making import names_of
from gradwatch_agent.source.syntax.statements import is_in, statements_of
from gradwatch_agent.source.syntax.text import nodes, statement_at
from gradwatch_agent.torch_seam import Node
from gradwatch_agent.verdicts.case import Answer


def cut_where_else(path: Path, roots: list[Node], top: Shared, now: Site) -> Answer:
    """The first loss needs no graph there: in the one statement besides those that made the loss
    that fails which reads it by the name that this one used for it; else that one is to be found.
    """
    place = now
    made = [site for node in made_of(roots, [top.node]) for site in made_at(node)]
    for name in names_of([top.node]).get(top.node, []):
        reading = [site for site in top.used if _reads(name, site)]
        read = [
            (Site(file, statement.lineno, ""), code)
            for file, statement in (_all_of(name) if reading else ())
            if (code := _detached_in(name, statement)) is not None
            if not any(site.file == file and is_in([statement], site.line) for site in made)
        ]
        if len(read) == 1:
            return needs_none(name, *read[0])
        place = next(filter(_gives_both, reading), place)
    return at(place, f"Let the first loss read `{path.expression}.detach()`.", path.expression)


def _reads(name: Path, site: Site) -> bool:
    statement = statement_at(site.file, site.line)
    return statement is not None and _detached_in(name, statement) is not None


def _gives_both(site: Site) -> bool:
    """Whether the line is a loop's, over losses that are made one after the other."""
    return isinstance(statement_at(site.file, site.line), ast.For)


def _all_of(path: Path) -> Iterator[tuple[str, ast.stmt]]:
    """The statements that may speak of it: of a function's own variable, that function's."""
    if path.parent is None and path.line:
        yield from ((path.file, each) for each in statements_of(path.file, path.line))
        return
    for file in own_files():
        simple = ((file, node) for node in nodes(file) if _is_simple(node))
        yield from (each for each in simple if not _puts_by(each[1]))


def _is_simple(node: ast.AST) -> TypeGuard[ast.stmt]:
    return isinstance(node, ast.stmt) and not hasattr(node, "body")


def _puts_by(statement: ast.stmt) -> bool:
    """Whether it puts by what it was given, for whichever loss: `self.value = value`."""
    match statement:
        case ast.Assign(targets=[ast.Attribute()], value=ast.Name()):
            return True
    return False


def _detached_in(path: Path, statement: ast.stmt) -> str | None:
    """The statement reading it without its graph, if it reads it."""
    if path.label[:1] == "[":
        parts = (part for part in ast.walk(statement) if _is_element(part, path.label[1:-1]))
        part = next(parts, None)
        return replaced(statement, part, detached(part)) if part is not None else None
    name = spelled(path, statement)
    return name_detached(statement, name) if name is not None else None


def _is_element(part: ast.AST, key: str) -> TypeGuard[ast.Subscript]:
    match part:
        case ast.Subscript(slice=each, ctx=ast.Load()):
            return ast.unparse(each) == key
    return False
