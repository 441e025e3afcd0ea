"""`graph-held` by no name: what a comprehension, or a call, gathers until it is done."""

from __future__ import annotations

import ast
import sys

from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.naming.unfinished import Unfinished, unfinished
from gradwatch_agent.source.syntax.reading import dotted
from gradwatch_agent.source.syntax.text import source_line, statement_at
from gradwatch_agent.verdicts.case import Answer


def of_gathering() -> Answer:
    """Of one that is under way around this call; an empty answer where none is."""
    around = unfinished(sys._getframe())  # noqa: SLF001
    statement = statement_at(around.file, around.line) if around is not None else None
    if around is None or statement is None:
        return Answer()
    targets, value = getattr(statement, "targets", []), getattr(statement, "value", None)
    taken = [getattr(each, "value", None) for each in getattr(value, "elts", ())]
    whole = around.drawn is None or around.drawn in (*getattr(value, "args", ()), *taken)
    holder = dotted(targets[0]) if len(targets) == 1 and whole else None
    answer = Answer(
        holder=holder,
        how=f"the {'comprehension' if around.drawn is None else 'statement'} that makes it",
        suggestion=_advice(statement, around),
    )
    return at_line(answer, around.file, around.line, source_line(around.file, around.line))


def _advice(statement: ast.stmt, around: Unfinished) -> str:
    line = around.line
    given = [
        ast.unparse(node.value if isinstance(node, ast.DictComp) else node.elt)
        for node in ast.walk(statement)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp)
        and node.lineno <= line <= (node.end_lineno or line)
    ]
    given += [ast.unparse(around.drawn)] if around.drawn is not None else []
    what = f"`{given[-1]}`" if given else "each of them"
    return (
        f"All that {what} gives is kept until the last one is done: let it give a number "
        "(x.item()), or what carries no graph (x.detach())."
    )
