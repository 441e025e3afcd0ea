"""Several networks that learn from each other's outputs, one loss a round: each round reads its own
output by the round's number or variable, and those of the others beside it. These it is to read
without their graphs. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradwatch_agent.advice.rewriting import all_replaced, detached
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.syntax.reading import last_name
from gradwatch_agent.source.syntax.statements import body_around, statements_of
from gradwatch_agent.verdicts.case import Answer


def cut_the_others(name: str, now: Site) -> Answer | None:
    """The statement of the round that reads outputs of others, with these detached. `name`: of what
    the outputs lie in, or of the round's own. None where no round reads its own beside them.
    """
    body = body_around(now.file, now.line)
    rounds = loops_at(body, now.line) if body is not None else []
    if not rounds or isinstance(rounds[-1], ast.While):
        return None
    head = rounds[-1]
    own = {node.id for node in ast.walk(head.target) if isinstance(node, ast.Name)}
    drawn = {last_name(node) for node in ast.walk(head.iter)} - {""}
    within = [s for s in statements_of(now.file, now.line) if head.lineno < s.lineno < now.line]
    for container in sorted(drawn) if name in own else [name]:
        numbered = any(_is_own(part, container, own) for s in within for part in ast.walk(s))
        for statement in within if numbered or container in drawn else ():
            if others := list(_others(statement, container, own)):
                code = all_replaced(statement, [(each, detached(each)) for each in others])
                advice = f"Let each loss read the others' outputs without their graphs: `{code}`."
                return at(Site(now.file, statement.lineno, now.function), advice, container)
    return None


def _is_own(node: ast.AST, container: str, own: set[str]) -> bool:
    """Whether it is the round's own element, by its number."""
    match node:
        case ast.Subscript(value=whole, slice=ast.Name(id=place)):
            return last_name(whole) == container and place in own
    return False


def _others(statement: ast.stmt, container: str, own: set[str]) -> Iterator[ast.expr]:
    """What the statement reads of the container but for the round's own."""
    for node in ast.walk(statement):
        match node:
            case ast.Subscript(value=whole, ctx=ast.Load()) if last_name(whole) == container:
                if not _is_own(node, container, own):
                    yield node
            case ast.comprehension(target=ast.Name(id=name), iter=source):
                if last_name(source) == container and name not in own:
                    yield from _read_by(statement, name, node)


def _read_by(statement: ast.stmt, name: str, drawing: ast.comprehension) -> Iterator[ast.expr]:
    """Where a comprehension reads what it draws, but for the questions that choose."""
    asked = {id(part) for test in drawing.ifs for part in ast.walk(test)}
    for node in ast.walk(statement):
        match node:
            case ast.Name(id=read, ctx=ast.Load()) if read == name and id(node) not in asked:
                yield node
