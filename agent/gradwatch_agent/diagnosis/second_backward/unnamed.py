"""Where what both losses reach goes by no name, as the difference in `p * (returns - values)`: the
part of the statement that is made of nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

from gradwatch_agent.advice.rewriting import all_replaced, detached, replaced
from gradwatch_agent.diagnosis.place.at_line import loss_of
from gradwatch_agent.diagnosis.second_backward.called import nearest
from gradwatch_agent.diagnosis.second_backward.freed import Shared
from gradwatch_agent.graph.walking import walk
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path
from gradwatch_agent.naming.making import names_of
from gradwatch_agent.source.gradients.following import loads
from gradwatch_agent.source.syntax.reading import dotted, is_library
from gradwatch_agent.source.syntax.statements import body_around, function_at
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.torch_seam import LEAF, Node, edges, sequence_of

_MOST: Final = 256
"""Nodes below it that are asked for their names."""


def cut_by_a_part(top: Shared) -> tuple[Site, str] | None:
    """The statement that reads it, with that part of it detached."""
    names = {path.expression for path in _nearest_below(top.node)}
    for site in (*top.made[:1], *top.used[:1]) if names else ():
        statement = statement_at(site.file, site.line)
        parts = list(_made_of(statement, names)) if statement is not None else []
        if statement is not None and parts:
            part = min(parts, key=lambda each: len(ast.unparse(each)))
            code = replaced(statement, part, detached(part))
            return Site(site.file, statement.lineno, site.function), code
    return None


def cut_by_its_variable(top: Shared, now: Site) -> tuple[Site, str] | None:
    """The statement that reads it by the variable of a function that is over, with that detached:
    of several losses that it hands back, in the one that fails.
    """
    made = statement_at(top.made[0].file, top.made[0].line) if top.made else None
    match made:
        case ast.Assign(targets=[ast.Name(id=name)]):
            own = (top.made[0].file, function_at(top.made[0].file, top.made[0].line))
        case _:
            return None
    for site in top.used:
        statement = statement_at(site.file, site.line)
        if statement is None or (site.file, function_at(site.file, site.line)) != own:
            continue
        part = _of_this_loss(statement, now)
        every = ast.walk(part) if part is not None else ()
        reads = [n for n in every if isinstance(n, ast.Name) and n.id == name and loads(n)]
        if reads:
            code = all_replaced(statement, [(each, detached(each)) for each in reads])
            return Site(site.file, statement.lineno, site.function), code
    return None


def _of_this_loss(statement: ast.stmt, now: Site) -> ast.AST | None:
    """The statement, or of several losses that it hands back the one that fails, by its place in
    `la, lb = losses(x)`; None if that is not to be told.
    """
    match statement:
        case ast.Return(value=ast.Tuple(elts=given)):
            loss, body = loss_of(now), body_around(now.file, now.line)
        case ast.Return(value=ast.Dict() | ast.List()):
            return None
        case _:
            return statement
    for node in ast.walk(body) if body is not None else ():
        match node:
            case ast.Assign(targets=[ast.Tuple(elts=into)], value=ast.Call()):
                names = [ast.unparse(each) for each in into]
                if loss in names and len(names) == len(given):
                    return given[names.index(loss)]
    return None


def only_below(top: Shared) -> Path | None:
    """What it was made of, where but one thing below it has a name."""
    found = _nearest_below(top.node)
    return found[0] if len(found) == 1 else None


def _nearest_below(top: Node) -> list[Path]:
    """What has a name, first on each way down."""
    nodes = islice((node for node in walk([top]) if sequence_of(node) < LEAF), _MOST)
    named = names_of(list(nodes))
    found, waiting, seen = [], [top], {top}
    while waiting:
        node = waiting.pop()
        if (path := nearest(named.get(node, []))) is not None:
            found.append(path)
            continue
        below = {child for child in edges(node) if sequence_of(child) < LEAF} - seen
        seen |= below
        waiting += below
    return found


def _made_of(statement: ast.stmt, names: Collection[str]) -> Iterator[ast.expr]:
    """The parts that read all of these, and nothing else; and what else reads one is within."""
    every = _count(statement, names)
    for part in ast.walk(statement):
        whole = isinstance(part, ast.BinOp | ast.Call) and _count(part, names) == every
        if whole and all(name in names for name in _read_by(part, names)):
            yield part  # type: ignore[misc]  # of the two kinds above


def _read_by(node: ast.AST, names: Collection[str]) -> Iterator[str]:
    """What it reads, but for functions of torch's and methods; a module it calls is trained."""
    if (name := dotted(node)) is not None:
        yield name
        return
    for child in ast.iter_child_nodes(node):
        called = isinstance(node, ast.Call) and child is node.func
        if not called or not isinstance(child, ast.Attribute) or dotted(child) is None:
            yield from _read_by(child, names)
        elif (owner := ast.unparse(child.value)) in names:
            yield owner
        elif not is_library(child):
            yield ast.unparse(child)


def _count(node: ast.AST, names: Collection[str]) -> int:
    spelled = (ast.Name, ast.Attribute)
    return sum(ast.unparse(n) in names for n in ast.walk(node) if isinstance(n, spelled))
