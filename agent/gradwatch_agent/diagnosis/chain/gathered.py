"""Where a function gathers what it hands back whole, a rollout say, with its graph.

`roll = collect(actor)` is where the thing gets its name; what is to be detached is put together
within: `return torch.stack(observations), torch.stack(log_probs)`. Not so of one thing that the
function computes, `features = encode(x)`, nor of one that goes on from what it was before.
"""

from __future__ import annotations

import ast
import dataclasses

from gradwatch_agent.advice.gathering import gathers, hands_gathered, into_column, put_into, puts
from gradwatch_agent.advice.remembering import is_refreshed
from gradwatch_agent.advice.rewriting import detached, replaced
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.diagnosis.place.stored import candidates
from gradwatch_agent.kept.guards import is_guarded
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.ahead import is_set_up
from gradwatch_agent.source.flow.beginning import is_beginning
from gradwatch_agent.source.flow.callers import is_called_in_a_loop
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.stored.fields import place_in
from gradwatch_agent.source.syntax.reading import called, reads
from gradwatch_agent.source.syntax.scopes import reads_outer
from gradwatch_agent.source.syntax.statements import body_around, statements_of
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.verdicts.case import Answer


def where_gathered(answer: Answer, known: Known) -> Answer:
    """The same answer, told within the function, if the statement it names calls such a one."""
    site = _within(answer, known) if not answer.handed else None
    function = body_around(site.file, site.line) if site is not None else None
    if site is None or not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return answer
    labels = labels_within(known.example, statement_at(answer.file or "", answer.line or 0))
    put = into_column(site.file, function, labels) if labels else None
    if put is None:
        put = next(puts(function, labels), None) if labels else None
        if put is None:
            return _where_made(answer, site, surely=bool(labels))
        put = put_into(put, site.file, function)
    code = replaced(put.statement, put.value, put.without_its_graph)
    return _told(answer, site.file, put.statement, f"Store it without its graph: `{code}`.")


def _where_made(answer: Answer, site: Site, *, surely: bool) -> Answer:
    """Where it is not to be told how it gets into what is handed back: where it was made, if
    `surely` a part of that, or else gathered there.
    """
    statement = statement_at(site.file, site.line)
    if statement is None or not (surely or hands_gathered(statement)):
        return answer
    value = statement.value if isinstance(statement, ast.Assign | ast.Return) else None
    if value is not None and gathers(value):
        code = replaced(statement, value, detached(value))
        return _told(answer, site.file, statement, f"Store it without its graph: `{code}`.")
    advice = "Detach there what is handed back, or gather it under `with torch.no_grad():`."
    return _told(answer, site.file, statement, advice)


def _told(answer: Answer, file: str, statement: ast.stmt, advice: str) -> Answer:
    code = code_of(file, statement)
    return dataclasses.replace(
        answer, file=file, line=statement.lineno, code=code, suggestion=advice
    )


def _within(answer: Answer, known: Known) -> Site | None:
    """The line, within the function that the statement calls, by which the thing was made; None
    where that one might go on from what was there before.
    """
    statement = statement_at(answer.file or "", answer.line or 0)
    if not isinstance(statement, ast.Assign) or not isinstance(statement.value, ast.Call):
        return None
    if _is_memory(answer.file or "", statement.lineno, known):
        return None  # that it is kept is what is to be changed
    names = [ast.unparse(_whole(each)) for target in statement.targets for each in _each(target)]
    targets = [name for name in names if name == known.example.root.name] or names
    if not _comes_from(answer.file or "", statement).isdisjoint(targets):
        return None
    span = range(statement.lineno, (statement.end_lineno or statement.lineno) + 1)
    for inner, site in zip(known.made, known.made[1:], strict=False):
        if site.file == answer.file and site.line in span:
            body = body_around(inner.file, inner.line)
            if not isinstance(body, ast.FunctionDef | ast.AsyncFunctionDef):
                return None
            again = body.name != called(statement.value) or _reads_any(body, targets)
            anew = _is_refreshed(answer.file or "", statement.lineno, known)
            return None if again or (anew and not _goes_round(body)) else inner
    return None


def _comes_from(file: str, statement: ast.Assign) -> set[str]:
    """What it is made of: what it reads, and what that was made of, in this round of its loop or
    this call of its function.
    """
    read = set(reads(statement.value))
    body = body_around(file, statement.lineno)
    rounds = loops_at(body, statement.lineno) if body is not None else []
    first = max((loop.lineno for loop in rounds), default=0)
    for each in reversed(statements_of(file, statement.lineno)):
        if first < each.lineno < statement.lineno and isinstance(each, ast.Assign):
            made = {ast.unparse(part) for target in each.targets for part in _each(target)}
            read |= set(reads(each.value)) if not made.isdisjoint(read) else set()
    return read


def _is_memory(file: str, line: int, known: Known) -> bool:
    """Whether it stores only what is not there yet, or ahead of training."""
    stored = (each for each in candidates(known.path) if (each.file, each.line) == (file, line))
    if is_guarded(file, line) or any(map(is_beginning, stored)):
        return True
    return is_set_up(file, line, own_files()) and not is_called_in_a_loop(file, line, own_files())


def _is_refreshed(file: str, line: int, known: Known) -> bool:
    """Whether it is computed anew every so many iterations, and walked by each."""
    stored = (each for each in candidates(known.path) if (each.file, each.line) == (file, line))
    return known.freed and any(is_refreshed(each, own_files()) for each in stored)


def _goes_round(function: ast.AST) -> bool:
    """Whether it gathers over many steps."""
    return any(isinstance(node, ast.For | ast.While) for node in ast.walk(function))


def _each(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, ast.Tuple | ast.List) else [target]


def _whole(target: ast.expr) -> ast.expr:
    """Of an element, what it is one of: that is what may have been handed over."""
    while isinstance(target, ast.Subscript):
        target = target.value
    return target


def _reads_any(function: ast.FunctionDef | ast.AsyncFunctionDef, targets: list[str]) -> bool:
    """Whether the function may go on from what was stored there before."""
    attributes = {t.rpartition(".")[2].partition("[")[0] for t in targets if "." in t}
    named = {n.attr for n in ast.walk(function) if isinstance(n, ast.Attribute)}
    return not attributes.isdisjoint(named) or any(
        reads_outer(function, target.partition("[")[0]) for target in targets if "." not in target
    )


def labels_within(example: Path, statement: ast.stmt | None) -> tuple[str, ...]:
    """The steps that lead from what the function that the statement calls hands back to the tensor
    in it.
    """
    target = statement.targets[0] if isinstance(statement, ast.Assign) else None
    steps = list(example.back())[::-1]
    first: list[str] = []
    if isinstance(target, ast.Tuple | ast.List):
        names = [ast.unparse(each) for each in target.elts]
        first = [f"[{names.index(n)}]" for n in (steps[0].name,) if n in names]
    keys = 0
    while isinstance(target, ast.Subscript):
        target, keys = target.value, keys + 1
    stored = 0
    if isinstance(target, ast.Attribute):
        stored = next((n for n, step in enumerate(steps) if step.label == f".{target.attr}"), 0)
    stored += keys
    return (*first, *(_by_place(step) for step in steps[stored + 1 :] if step.label))


def _by_place(step: Path) -> str:
    """An attribute by its place among the fields of its class, if that names them in order."""
    if not step.attribute or not step.owners or not step.label.startswith("."):
        return step.code
    place = place_in(step.owners[0], step.name, own_files())
    return f"[{place}:{step.name}]" if place >= 0 else step.code
