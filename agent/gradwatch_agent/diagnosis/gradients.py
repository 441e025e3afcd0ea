"""`grads-accumulate`: whose gradients nobody clears."""

from __future__ import annotations

import ast

from gradwatch_agent.advice.rewriting import parsed
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.flow.calls import calls_of, nodes_with, not_called
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.gradients.clearing import clears_unseen
from gradwatch_agent.source.stored.stores import known_places, owner_at, place_read, stores
from gradwatch_agent.source.syntax.reading import called, dotted
from gradwatch_agent.source.syntax.statements import (
    Function,
    body_around,
    functions_named,
    statements_of,
)
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.source.syntax.vocabulary import WALKING
from gradwatch_agent.verdicts.case import Answer


def of_uncleared(site: Site | None) -> Answer:
    """The step of the optimizer, by the name that it goes by there."""
    if site is None:
        return Answer()
    for file, named in not_called("zero_grad", [site.file]):
        advice = f"The method is named here, not called: `{ast.unparse(named)}()`."
        return at(Site(file, named.lineno, site.function), advice)
    name = _called_on(statement_at(site.file, site.line, calling=("step",)), "step")
    if name is None:
        before = _of_one_before()
        return at(*before) if before is not None else at(site)
    if (called_again := _in_its_closure(site, name)) is not None:
        return at(*called_again)
    if (each := _of_each(site, name)) is not None:
        return at(site, f"Clear each after its step, ahead of the next backward: `{each}`.")
    if (wrong := _last_before(site, name) or _only_one_else(name)) is not None:
        place, other = wrong
        owner = owner_at(site.file, site.line)
        clear = f"`{name}.zero_grad()`"
        if name.startswith("self.") and owner != owner_at(place.file, place.line):
            clear = f"call {clear} in `{owner}`, after each step, in place of that"
        return at(place, f"Here `{other}` is cleared, but `{name}` steps: {clear}.")
    return at(site, f"Call `{name}.zero_grad()` after each step, ahead of the next backward.")


def _in_its_closure(site: Site, name: str) -> tuple[Site, str] | None:
    """Where the step is given a function that walks the loss, and clears none."""
    for file, closure in _closures(statement_at(site.file, site.line, calling=("step",))):
        calls = [part for part in ast.walk(closure) if isinstance(part, ast.Call)]
        walks = [call for call in calls if called(call) == "backward"]
        if walks and all(called(call) != "zero_grad" for call in calls):
            place = Site(file, walks[0].lineno, closure.name)
            return place, (
                f"Call `{name}.zero_grad()` in `{closure.name}`, before its backward: a step may "
                "call it several times."
            )
    return None


def _closures(statement: ast.stmt | None) -> list[tuple[str, Function]]:
    """The program's own functions that a step may be given there."""
    parts = ast.walk(statement) if statement is not None else ()
    calls = [part for part in parts if isinstance(part, ast.Call) and called(part) == "step"]
    given = {dotted(each) or "" for call in calls for each in call.args}
    last = (each.rpartition(".")[2] for each in given)
    return [found for name in last if name for found in functions_named(name, own_files())]


def _of_each(site: Site, name: str) -> str | None:
    """A loop that clears all that the one around the step goes through, when all is walked."""
    body = body_around(site.file, site.line)
    rounds = loops_at(body, site.line) if body is not None else []
    for each in (each for each in reversed(rounds) if not isinstance(each, ast.While)):
        drawn = {part.id for part in ast.walk(each.target) if isinstance(part, ast.Name)}
        walks = any(isinstance(p, ast.Call) and called(p) in WALKING for p in ast.walk(each))
        if name.partition(".")[0] in drawn and not walks:
            cleared = parsed(f"{name}.zero_grad()")
            loop = ast.For(each.target, each.iter, [ast.Expr(cleared)], [])
            return " ".join(ast.unparse(ast.fix_missing_locations(loop)).split())
    return None


def _last_before(site: Site, name: str) -> tuple[Site, str] | None:
    """The last statement of the same function, ahead of the step, that clears something else."""
    wrong = [
        (Site(site.file, statement.lineno, site.function), other)
        for statement in statements_of(site.file, site.line)
        if statement.lineno < site.line
        and (other := _called_on(statement, "zero_grad")) is not None
        and other != name
    ]
    return wrong[-1] if wrong else None


def _only_one_else(name: str) -> tuple[Site, str] | None:
    """The only statement of the program that clears any, if what it clears goes nowhere by the name
    that steps.
    """
    files = own_files()
    calls = list(calls_of("zero_grad", files))
    if len(calls) != 1 or not isinstance(cleared := calls[0][1].func, ast.Attribute):
        return None
    file, line = calls[0][0], cleared.lineno
    place = place_read(file, cleared.value)
    known = known_places([place], files) if place is not None else set()
    if not known or name.rpartition(".")[2] in {each.name for each in known}:
        return None
    function = getattr(body_around(file, line), "name", "<module>")
    return Site(file, line, function), ast.unparse(cleared.value)


def _of_one_before() -> tuple[Site, str] | None:
    """The only statement of the program that speaks of clearing: it puts a method away, and another
    optimizer takes the place of the one whose method it is.
    """
    files = own_files()
    spoken = [
        (file, node)
        for file, node in nodes_with("zero_grad", files)
        if isinstance(node, ast.Attribute) and node.attr == "zero_grad"
    ]
    if len(spoken) != 1 or any(calls_of("zero_grad", files)):
        return None
    file, method = spoken[0]
    place = place_read(file, method.value)
    if place is None or len(list(stores([place], files))) < 2:
        return None
    whose = ast.unparse(method.value)
    function = getattr(body_around(file, method.lineno), "name", "<module>")
    advice = (
        f"What is put away here clears the `{whose}` of now, even when another takes its place: "
        f"call `{whose}.zero_grad()` in each iteration."
    )
    return Site(file, method.lineno, function), advice


def cleared_unseen() -> bool:
    """Whether the program clears some where it cannot be seen."""
    return clears_unseen(own_files())


def _called_on(statement: ast.stmt | None, method: str) -> str | None:
    """On what the statement calls the method."""
    for call in ast.walk(statement) if statement is not None else ():
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            if call.func.attr == method == "step" and call.args and not _closures(statement):
                return dotted(call.args[0]) or dotted(call.func.value)  # `scaler.step(optimizer)`
            if call.func.attr == method:
                return dotted(call.func.value)
    return None
