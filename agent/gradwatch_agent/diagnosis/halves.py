"""The statement that cuts half of a state: `State(self.hidden.detach(), self.cell)`.

Who writes so means to end the graph there, and misses a part of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradwatch_agent.advice.rewriting import detached, replaced
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.cut import is_cut
from gradwatch_agent.source.fields import place_in, speaks
from gradwatch_agent.source.reading import called, speaks_of
from gradwatch_agent.source.statements import statements_of
from gradwatch_agent.source.text import code_of, tree
from gradwatch_agent.verdicts.case import Answer


def half_cut(path: Path) -> Answer:
    """Of the record that the path ends in a field of; nothing if no statement, or more than one,
    cuts its other fields alone.
    """
    kind, field, place = _field(path)
    found = [
        (file, statement, value)
        for file, call in _makings(kind)
        for statement in statements_of(file, call.lineno)
        if call in ast.walk(statement) and (value := _left(call, field, place)) is not None
    ]
    if len(found) != 1:
        return Answer()
    file, statement, value = found[0]
    code = replaced(statement, value, detached(value))
    suggestion = f"Detach this part too: `{code}`."
    return Answer(file, statement.lineno, code_of(file, statement), suggestion=suggestion)


def _field(path: Path) -> tuple[str, str, int]:
    """Whose field it is, its name, and where it stands among the arguments; -1: not known."""
    before = path.parent
    if before is not None and before.fields and path.label:
        place = int(path.label[1:-1])
        return before.container, before.fields[place], place
    kind = path.owners[0] if path.attribute and path.owners else ""
    return kind, path.name, place_in(kind, path.name, own_files())


def _makings(kind: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls that make such a record."""
    for file in own_files() if kind else ():
        for node in ast.walk(tree(file) or ast.Module([], [])) if speaks(file, kind) else ():
            if isinstance(node, ast.Call) and called(node) == kind:
                yield file, node


def _left(call: ast.Call, field: str, place: int) -> ast.expr | None:
    """What is given for the field, if it is not detached, but something else is."""
    given = {keyword.arg: keyword.value for keyword in call.keywords}
    value = given.get(field)
    if value is None and 0 <= place < len(call.args):
        value = call.args[place]
    if not isinstance(value, ast.Name | ast.Attribute):
        return None
    others = [each for each in (*call.args, *given.values()) if each is not value]
    return value if any(map(_is_cut, others)) else None


def _is_cut(value: ast.expr) -> bool:
    """Whether it is detached as a whole: `v * (1 - z.detach())` is not."""
    return is_cut(value) and speaks_of(ast.Expr(value), "detach")
