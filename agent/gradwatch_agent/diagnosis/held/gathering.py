"""`graph-held` by no name: what a comprehension, or a call, gathers until it is done."""

from __future__ import annotations

import ast
import os
import sys
from collections.abc import Iterator

from gradwatch_agent.advice.rewriting import detached, replaced
from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.naming import own_files
from gradwatch_agent.naming.unfinished import LAZY, Unfinished, unfinished
from gradwatch_agent.source.stored.tensors import is_a_tensor
from gradwatch_agent.source.syntax.reading import called, dotted
from gradwatch_agent.source.syntax.statements import Function, functions_named, statements_of
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
    kept = f"All that {what} gives is kept until the last one is done"
    if (said := _without_a_graph(around)) is not None:
        return f"{kept}: {said}."
    return f"{kept}: let it give a number (x.item()), or what carries no graph (x.detach())."


def _without_a_graph(around: Unfinished) -> str | None:
    """Where the function of the program's that gives each says so in one statement: that one."""
    call = around.drawn
    if not isinstance(call, ast.Call):
        return None
    each = called(call) in LAZY and bool(call.args)  # what a map calls for each
    name = (dotted(call.args[0]) or "").rpartition(".")[2] if each else called(call)
    found = list(functions_named(name, own_files())) if name else []
    given = [(f, given) for f, function in found for given in _giving(f, function)]
    if len(found) != 1 or len(given) != 1:
        return None
    file, (statement, value) = given[0]
    where = f"line {statement.lineno}" + (f" of {_base(file)}" if file != around.file else "")
    return (
        f"let {where} give what carries no graph, `{replaced(statement, value, detached(value))}`"
    )


def _giving(file: str, function: Function) -> Iterator[tuple[ast.stmt, ast.expr]]:
    """The statements by which it gives a tensor, and that."""
    for statement in statements_of(file, function.body[0].lineno):
        match statement:
            case (
                ast.Return(value=ast.Name() as value)
                | ast.Expr(value=ast.Yield(value=ast.Name() as value))
            ) if is_a_tensor(file, statement.lineno, value.id):
                yield statement, value
            case (
                ast.Return(value=ast.BinOp() as value)
                | ast.Expr(value=ast.Yield(value=ast.BinOp() as value))
            ):
                yield statement, value


def _base(file: str) -> str:
    return file.rpartition(os.sep)[2]
