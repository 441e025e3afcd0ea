"""Of statements that may have changed a tensor in place, those that may have run since it was
saved, and the call by which one did.
"""

from __future__ import annotations

import ast
from typing import Final, NamedTuple

from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.flow.callers import callers, run_by_blocks
from gradwatch_agent.source.flow.calls import only_call
from gradwatch_agent.source.flow.conditions import conditions
from gradwatch_agent.source.flow.entering import runs_at
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.gradients.changing import InPlace
from gradwatch_agent.source.syntax.statements import are_in_a_row, body_around, function_at
from gradwatch_agent.source.syntax.text import statement_at

_CALLS: Final = 4
"""From a change outward."""

Function = tuple[str, int]
"""Its file and its first line."""


class _Meanwhile(NamedTuple):
    """What one function does between the making of something and the backward that fails."""

    function: Function
    lines: range
    waiting: dict[Function, range]
    """Those that wait meanwhile for what they have called, each with the line of that."""


def _meanwhile(made: Lines, failing: Lines) -> _Meanwhile | None:
    """Where both are in one function, the one ahead of the other; None else."""
    pairs = list(zip(reversed(made), reversed(failing), strict=False))
    at = next((at for at, (one, other) in enumerate(pairs) if one != other), None)
    if at is None:
        return None
    one, other = pairs[at]
    if (one.file, one.function) != (other.file, other.function):
        return None
    lines, body = range(one.line, other.line + 1), body_around(one.file, one.line)
    if not lines or body is None or loops_at(body, one.line) != loops_at(body, other.line):
        return None
    waiting = {_function(site): range(site.line, site.line + 1) for site, _ in pairs[:at]}
    return _Meanwhile(_function(one), lines, waiting)


def _function(site: Site) -> Function:
    return site.file, function_at(site.file, site.line)


def ran_between(found: list[InPlace], made: Lines, failing: Lines) -> list[InPlace]:
    """Those that may have run between the making of what was changed and the backward that fails:
    of the function of both, what stands between them, and of another one that is only called there,
    if it is between them. Of those that wait meanwhile nothing runs.
    """
    meanwhile = _meanwhile(made, failing)
    if meanwhile is None:
        return found
    may_run = {**meanwhile.waiting, meanwhile.function: meanwhile.lines}
    return [change for change in found if _may_run(change, may_run)]


def _may_run(change: InPlace, lines: dict[Function, range]) -> bool:
    """Whether the change may run by those lines of the functions, or by others than these."""
    file, line = change.file, change.line
    for _ in range(_CALLS):
        if (within := lines.get((file, function_at(file, line)))) is not None:
            return line in within
        body = body_around(file, line)
        if body is None or isinstance(body, ast.Module):
            return True
        call = only_call(body, own_files())
        if call is None:
            return True
        file, line = call[0], runs_at(*call, body, line)
    return True


def call_between(changes: list[InPlace], made: Lines, failing: Lines) -> Site | None:
    """The one statement between them by which the changes are called, however many calls away; or,
    where they have run within the statement that made it, behind its making there.
    """
    meanwhile = _meanwhile(made, failing)
    if meanwhile is None:
        return None
    within = [(meanwhile.function, meanwhile.lines[1:])]
    inner = list(reversed(made))[len(meanwhile.waiting) + 1 :]
    for site in inner:
        body = body_around(site.file, site.line)
        last = getattr(body, "end_lineno", None) or site.line
        within.append((_function(site), range(site.line + 1, last + 1)))
    for function, lines in within:
        found = _calling(changes, function, lines)
        if found:
            return Site(function[0], found.pop(), "") if len(found) == 1 else None
    return None


def _calling(changes: list[InPlace], function: Function, lines: range) -> set[int]:
    """The lines of the function's statements that call the changes."""
    waiting, found = {(change.file, change.line) for change in changes}, set[int]()
    for _ in range(_CALLS):
        found |= {
            block.lineno
            for each in waiting
            for file, block, runs in run_by_blocks(*each, own_files())
            if (file, function_at(file, block.lineno)) == function and runs in lines
        }
        calls = {(at, call.lineno) for each in waiting for at, call in callers(*each, own_files())}
        waiting = set()
        for file, line in calls:
            if (file, function_at(file, line)) != function:
                waiting.add((file, line))
            elif line in lines:
                statement = statement_at(file, line)
                found.add(statement.lineno if statement is not None else line)
    return found


def is_in_its_forward(change: InPlace, made: Lines) -> bool:
    """Whether the function that changes a weight goes on to use it, or puts back what it was: the
    next call of it changes what this one has saved.
    """
    if not made or (change.file, function_at(change.file, change.line)) != _function(made[0]):
        return False
    return change.line < made[0].line or change.puts_back


def first_behind_it(found: list[InPlace], made: Lines) -> InPlace | None:
    """Of statements of the function that saved it, and of no other, the first that ran then."""
    if not made or {(c.file, function_at(c.file, c.line)) for c in found} != {_function(made[0])}:
        return None
    later = [c for c in found if c.line > made[0].line and not any(conditions(c.file, c.line))]
    return min(later, key=lambda change: change.line, default=None)


def first_of_a_row(found: list[InPlace], made: tuple[Site, ...]) -> InPlace | None:
    """Of statements that change the same in one block, of which all ran if one did, the first that
    ran after what saved it.
    """
    files, names = {change.file for change in found}, {change.name for change in found}
    if len(files) != 1 or len(names) != 1:
        return None
    file = files.pop()
    if not are_in_a_row(file, [change.node for change in found]):
        return None
    block = function_at(file, found[0].line)
    within = (s.line for s in made if s.file == file and function_at(file, s.line) == block)
    saved = next(within, 0)
    return min(found, key=lambda change: (change.line < saved, change.line))
