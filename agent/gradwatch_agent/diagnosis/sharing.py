"""`second-backward` within one iteration: two losses reach the same graph: which need not.

The answer lies in the optimizers. If the one that stepped after the first backward owns nothing
below what both reach, or what the first left there was cleared unused, the first loss had no
business there (a discriminator that trains through the generator); if it does, the second has none
(an actor's loss through the critic's value).
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import torch

from gradwatch_agent.advice.rewriting import name_detached
from gradwatch_agent.diagnosis.answering import at, loss_of
from gradwatch_agent.diagnosis.graphs import Shared, names_of, parameters, shared
from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.naming import Path
from gradwatch_agent.source.reading import reads
from gradwatch_agent.source.statements import statements_of
from gradwatch_agent.source.text import statement_at
from gradwatch_agent.torch_seam import Node, edges, living_optimizers, saves
from gradwatch_agent.verdicts.case import Answer


@dataclass(frozen=True, slots=True)
class Earlier:
    """The backward that freed what is now needed."""

    lines: Lines
    """Of its call, from the innermost out to where it begins to differ from the failing one's."""
    stepped: bool
    """Whether any optimizer has stepped since."""
    sequence: int
    """Where the numbering of nodes stood after it."""
    owned: Collection[int]
    """The ids of the tensors that these optimizers own."""
    accumulates: bool
    """Whether it left gradients in all leaves that it reached."""

    @property
    def site(self) -> Site:
        """The line that led to it, as seen from what it shares with the failing one."""
        return self.lines[-1]

    @property
    def loss(self) -> str | None:
        """The name it was called on, if that is known there."""
        return loss_of(self.site) if len(self.lines) == 1 else None


def of_sharing(roots: list[Node], now: Site | None, earlier: Earlier) -> Answer:
    """Which of two backwards should not reach what both do."""
    if now is None or earlier.site == now:
        return Answer()
    tops = shared(roots, earlier.sequence) or shared(roots)
    if not tops:
        return _two_losses(now, earlier, None)
    names = names_of([top.node for top in tops])
    top = next((top for top in tops if top.node in names), tops[0])
    path = min(names.get(top.node, []), key=lambda p: p.steps, default=None)
    below = parameters([top.node for top in tops])
    if not earlier.stepped and not (earlier.accumulates and _in_vain(below)):
        return _two_losses(now, earlier, path)
    if below.keys().isdisjoint(earlier.owned):
        return _cut_in_the_first(path, earlier)
    return _cut_in_the_second(top, path, now)


def _in_vain(below: Mapping[int, torch.Tensor]) -> bool:
    """Whether all gradients that these had are cleared, while those for an optimizer that has none
    of them wait to be used.
    """
    if not below or any(_has_gradient(tensor) for tensor in below.values()):
        return False
    owned = ([p for g in each.param_groups for p in g["params"]] for each in living_optimizers())
    return any(
        below.keys().isdisjoint(map(id, parameters)) and any(map(_has_gradient, parameters))
        for parameters in owned
    )


def _has_gradient(tensor: torch.Tensor) -> bool:
    """Whether one is there that is not zero, as far as can be told without running a subclass's
    code: that may talk to other ranks.
    """
    gradient = tensor.grad
    return gradient is not None and (type(gradient) is not torch.Tensor or bool(gradient.any()))


def of_again(roots: list[Node], now: Site | None, since: int) -> Answer:
    """By which name goes what an earlier backward freed, where nothing is known of that one.

    `since`: where the numbering of nodes stood after it, if this one has freed some by now itself.
    """
    names = names_of(_viewed(shared(roots, since)))
    paths = [path for found in names.values() for path in found]
    path = min(paths, key=lambda p: p.steps, default=None)
    if path is None:
        return Answer()
    advice = (
        "Add the losses and call backward once, or pass retain_graph=True to all but the last "
        f"backward of this graph; if this one is not to train what made `{path.expression}`, let "
        f"it read `{path.expression}.detach()`."
    )
    return at(now, advice, path.expression)


def _viewed(tops: list[Shared]) -> list[Node]:
    """What was freed, and what it was made of by reshaping alone, which saves nothing."""
    found, waiting = [], [top.node for top in tops]
    while waiting:
        node = waiting.pop()
        found.append(node)
        below = list(edges(node))
        if len(below) == 1 and not saves(node):
            waiting += below
    return found


def _two_losses(now: Site, earlier: Earlier, shared: Path | None) -> Answer:
    """Both losses train what both reach, as far as is known: one backward of their sum."""
    first, second = earlier.loss, loss_of(now)
    holder = shared.expression if shared is not None else None
    if not first or not second or first == second:
        return at(now, holder=holder)
    advice = (
        f"Add the losses and call backward once: `({first} + {second}).backward()`; or keep "
        f"the graph for the second: `{first}.backward(retain_graph=True)`."
    )
    if holder is not None:
        advice += f" If one of them is not to train what made `{holder}`, let it read "
        advice += f"`{holder}.detach()`."
    return at(now, advice, holder)


def _cut_in_the_first(path: Path | None, earlier: Earlier) -> Answer:
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
    there: `exactly` as by the path, or by another object's name.
    """
    for statement in reversed(statements_of(call.file, call.line)):
        if statement.lineno >= call.line:
            continue
        if exactly and path.expression in reads(statement):
            return statement, path.expression
        if not exactly and (name := _spelled(path, statement)) is not None:
            return statement, name
    return None


def _cut_in_the_second(top: Shared, path: Path | None, now: Site) -> Answer:
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
            place = Site(each.file, statement.lineno, each.function)
            advice = f"Let this loss not reach what is trained already: `{code}`."
            return at(place, advice, holder)
    return at(site, f"Let this loss read `{path.expression}.detach()`.", holder)


def _spelled(path: Path, statement: ast.stmt) -> str | None:
    """How the statement calls what the path leads to, if it reads it."""
    last = path.field or path.name
    return next((name for name in reads(statement) if name.rpartition(".")[2] == last), None)
