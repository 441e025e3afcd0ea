"""What to change where two backwards of one iteration need the same graph, and where. Pure but for
reading.
"""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator

from gradwatch_agent.advice.rewriting import name_detached
from gradwatch_agent.diagnosis.answering import at, loss_of
from gradwatch_agent.diagnosis.graphs import Shared
from gradwatch_agent.graph.passes import Earlier
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path
from gradwatch_agent.source.calls import calls_of
from gradwatch_agent.source.reading import reads
from gradwatch_agent.source.statements import body_around, function_at, statements_of
from gradwatch_agent.source.stores import stores, variable
from gradwatch_agent.source.text import statement_at
from gradwatch_agent.verdicts.case import Answer


def two_losses(now: Site, earlier: Earlier, shared: Path | None) -> Answer:
    """Both losses train what both reach, as far as is known: one backward of their sum."""
    first, second = loss_before(earlier), loss_of(now)
    holder = shared.expression if shared is not None else None
    if first and first == second:
        return _the_same_again(now, earlier, first)
    if not first and shared is not None and (handed := _handed_over(earlier, shared)) is not None:
        return handed
    if not first or not second:
        return at(now, holder=holder)
    advice = _one_backward(now, earlier.site, first, second)
    if holder is not None:
        advice += f" If one of them is not to train what made `{holder}`, let it read "
        advice += f"`{holder}.detach()`."
    return at(now, advice, holder)


def _handed_over(earlier: Earlier, shared: Path) -> Answer | None:
    """Where a function of its own calls the first backward, on a loss that it makes itself of what
    it is given: that is given.
    """
    inner, statement = earlier.lines[0], statement_at(earlier.site.file, earlier.site.line)
    spelled = _spelled(shared, statement) if statement is not None else None
    loss, body = loss_of(inner), body_around(inner.file, inner.line)
    if statement is None or spelled is None or isinstance(body, ast.Module | None):
        return None
    given = {each.arg for each in ast.walk(body.args) if isinstance(each, ast.arg)}
    code = name_detached(statement, spelled)
    if loss is None or loss.partition(".")[0] in given or code is None:
        return None
    advice = (
        f"Hand it over without its graph: `{code}`; or, if the backward in there is to train what "
        f"made `{spelled}`, too, let that one keep it: `{loss}.backward(retain_graph=True)`."
    )
    return at(earlier.site, advice, shared.expression)


def _one_backward(now: Site, before: Site, first: str, second: str) -> str:
    """Their sum, where both names are known in one function; else one is to be handed over."""
    keep = f"`{first}.backward(retain_graph=True)`"
    if (now.file, now.function) == (before.file, before.function):
        return (
            f"Add the losses and call backward once: `({first} + {second}).backward()`; or keep "
            f"the graph for the second: {keep}."
        )
    file = before.file.rpartition(os.sep)[2]
    return (
        f"Hand this loss back, add it to `{first}` and call backward once; or keep the graph for "
        f"it, in line {before.line} of {file}: {keep}."
    )


def _the_same_again(now: Site, earlier: Earlier, loss: str) -> Answer:
    """Two backwards of one loss: where it is made, in the same function, it can be made again."""
    made = _made_ahead(now, loss)
    anew = (
        f"compute it anew ahead of this one: `{made}`" if made else "compute it anew for this one"
    )
    advice = (
        f"The backward in line {earlier.site.line} has freed this graph: {anew}; or, if the "
        "weights are still the same, let that one keep it: "
        f"`{loss}.backward(retain_graph=True)`."
    )
    return at(now, advice, loss)


def added_up(now: Site) -> Answer:
    """A loss that each round of a loop adds to, and backwards: all that it has been so far."""
    loss, function = loss_of(now), function_at(now.file, now.line)
    if loss is None or not loss.isidentifier():
        return Answer()
    found = stores([variable(now.file, function, loss)], [now.file])
    if not any(each.in_loop and each.adds_to_itself for each in found):
        return Answer()
    advice = (
        f"`{loss}` adds up the losses of a loop, those that are backwarded already too: call "
        f"`{loss}.backward()` once, behind that loop, or start `{loss}` anew in each round."
    )
    return at(now, advice, loss)


def made_anew(now: Site, shared: Path | None) -> Answer:
    """Each has its own gradients, and what they trained may have changed in between."""
    if shared is None:
        return at(now, "Compute anew, for this backward, what the first one has freed.")
    name = shared.expression
    made = _made_ahead(now, name)
    anew = f"`{made}`" if made else f"what `{name}` stands for"
    advice = (
        f"Compute {anew} again for this backward: the gradients of the first are cleared by now, "
        "and what it trained may have changed. Or, if both are to be used, add the losses."
    )
    return at(now, advice, name)


def _made_ahead(now: Site, name: str) -> str | None:
    """The last statement ahead of the line, in its function, that gives the name a value."""
    ahead = (each for each in statements_of(now.file, now.line) if each.lineno < now.line)
    made = [ast.unparse(each) for each in ahead if name in _assigned(each)]
    return made[-1] if made else None


def _assigned(statement: ast.stmt) -> list[str]:
    """What it alone gives a value, as code."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return [ast.unparse(target) for target in targets]


def loss_before(earlier: Earlier) -> str | None:
    """The name that it was called on, if that is known there."""
    return loss_of(earlier.site) if len(earlier.lines) == 1 else None


def begins_anew(now: Site, earlier: Earlier) -> bool:
    """Whether, between the two, gradients are cleared: this loss is meant to train by itself."""
    if (now.file, now.function) != (earlier.site.file, earlier.site.function):
        return False
    between = range(earlier.site.line + 1, now.line)
    calls = calls_of("zero_grad", [now.file])
    return any(call.lineno in between for _, call in calls)


def cut_in_the_first(path: Path | None, earlier: Earlier) -> Answer:
    """The first loss needs no graph there: no optimizer stepped for it."""
    site = earlier.site
    if path is None:
        return at(
            site,
            "Detach what this loss reads of the other network's output: its graph is freed here.",
        )
    for call in reversed(earlier.lines):
        if (found := _reading(path, call, exactly=call is site)) is not None:
            statement, name = found
            code = name_detached(statement, name)
            return at(
                Site(call.file, statement.lineno, call.function),
                f"Let this loss not reach the graph that the next one needs: `{code}`.",
                path.expression,
            )
        own = statement_at(call.file, call.line)
        if own is not None and path.expression in reads(own):
            break  # handed over right there
    return at(site, f"Let this loss read `{path.expression}.detach()`.", path.expression)


def _reading(path: Path, call: Site, *, exactly: bool) -> tuple[ast.stmt, str] | None:
    """The last statement ahead of the call that reads what the path leads to, and how it is called
    there: `exactly` as by the path, or by another object's name. One that the loss is made by, if
    there is such a one: what is ahead of both backwards may make the other loss.
    """
    ahead = [each for each in statements_of(call.file, call.line) if each.lineno < call.line]
    for statement in (*_making(call, ahead), *reversed(ahead)):
        if exactly and path.expression in reads(statement):
            return statement, path.expression
        if not exactly and (name := _spelled(path, statement)) is not None:
            return statement, name
    return None


def _making(call: Site, ahead: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements by which is made what the call's line reads, the last ones first."""
    last = statement_at(call.file, call.line)
    wanted = set(reads(last)) if last is not None else set()
    for statement in reversed(ahead):
        made = {ast.unparse(node) for node in ast.walk(statement) if _is_stored(node)}
        if not made.isdisjoint(wanted):
            wanted.update(reads(statement))
            yield statement


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store)


def cut_in_the_second(top: Shared, path: Path | None, now: Site) -> Answer:
    """The second loss needs no graph there: those weights have been stepped already."""
    holder = path.expression if path is not None else None
    site = top.used[0] if top.used else now
    if path is None:
        return at(site, "Detach what this loss reads of the other one's graph.", holder)
    for each in top.used:
        statement = statement_at(each.file, each.line)
        spelled = _spelled(path, statement) if statement is not None else None
        code = name_detached(statement, spelled) if statement and spelled else None
        if statement is not None and code is not None:
            return _not_reached(code, Site(each.file, statement.lineno, each.function), path)
    found = _reading(path, now, exactly=True) if not top.used else None  # no lines are noted
    if found is not None and (code := name_detached(*found)) is not None:
        return _not_reached(code, Site(now.file, found[0].lineno, now.function), path)
    return at(site, f"Let this loss read `{path.expression}.detach()`.", holder)


def _not_reached(code: str, site: Site, path: Path) -> Answer:
    advice = f"Let this loss not reach what is trained already: `{code}`."
    return at(site, advice, path.expression)


def _spelled(path: Path, statement: ast.stmt) -> str | None:
    """How the statement calls what the path leads to, if it reads it."""
    last = path.field or path.name
    return next((name for name in reads(statement) if name.rpartition(".")[2] == last), None)
