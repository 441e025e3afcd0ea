"""`inplace-modified`: a weight that an optimizer's step changed, while a graph waited for it.

The step is one that this thread has told of; or, where nobody listened, the only one that the
sources have for this weight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import torch

from gradwatch_agent.advice.later import step_later
from gradwatch_agent.diagnosis.inplace.awaiting import awaiting, cut_where_in_vain
from gradwatch_agent.diagnosis.inplace.owning import steps_of
from gradwatch_agent.diagnosis.inplace.suspects import named
from gradwatch_agent.diagnosis.place.at_line import at, loss_of
from gradwatch_agent.graph.passes import Passes
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Lines, Site, parting
from gradwatch_agent.source.syntax.comments import without_comment
from gradwatch_agent.torch_seam import Node, sequence_of
from gradwatch_agent.verdicts.case import Answer

_STEP: Final = "this step"
"""The one on the line that is told."""


@dataclass(frozen=True, slots=True)
class Changed:
    """What was found out, and what to say of it."""

    answer: Answer
    word: str = ""
    carried: bool = False
    """It is a weight, changed by a rightful step: what is wrong is that the loss reaches so old a
    graph."""
    heard: bool = True
    """If not, that is likely only where the graph has a forward since."""
    stepped_at: int | None = None
    """Where the numbering of nodes stood at the step that changed it."""


def of_step(
    roots: list[Node],
    node: Node,
    weight: torch.Tensor,
    now: Site | None,
    passes: Passes,
    lines: Lines,
) -> Changed | None:
    """By the step since `node` saved it; None if there was none. `lines`: of the failing call."""
    steps = reversed(passes.steps_after(sequence_of(node)))
    step = next((step for step in steps if id(weight) in step.owned), None)
    if step is None:
        unheard = passes.may_have_stepped(sequence_of(node))
        return _unheard(weight, now, lines) if unheard else None
    loss = loss_of(now)
    waiting = awaiting(roots, node, step.sequence, loss)
    held = waiting.path.expression if waiting is not None else None
    site = _stepping(step.lines, lines)
    of = loss if site is step.lines[0] else None
    word = _waited(node, weight, held if held != loss else None)
    round_ago = passes.came_round(sequence_of(node), lines)
    apart = waiting is not None and held != loss and not round_ago
    advice = cut_where_in_vain(waiting, now, site.file) if waiting is not None and apart else None
    if advice is None:
        advice = step_later(site.file, site.line, of, held, step.lines, lines, made_at(node))
    return Changed(at(site, advice, held), word, carried=round_ago, stepped_at=step.sequence)


def _waited(node: Node, weight: torch.Tensor, beside: str | None) -> str:
    """What waited, `beside` the loss."""
    made, name = made_at(node), named(weight)
    what = f"It is `{name}`, a weight" if name is not None else "It is a weight"
    where = f", built in line {made[0].line}," if made else ""
    by = f" `{beside}` has waited with it." if beside is not None else ""
    return f"{what}, which {_STEP} changed while the graph{where} was waiting.{by}"


def told_elsewhere(changed: Changed) -> str:
    """The same word where the line that is told is another one than the step's."""
    step = changed.answer
    if step.line is None:
        return changed.word
    return changed.word.replace(_STEP, f"`{without_comment(step.code or '')}` in line {step.line}")


def _unheard(weight: torch.Tensor, now: Site | None, lines: Lines) -> Changed | None:
    """A weight that an optimizer may have stepped while nobody listened."""
    sites = steps_of(weight)
    if sites is None:
        return None
    word = "It is a weight, which a step changed while the graph was waiting."
    if len(sites) != 1:
        word = f"{word} Which step it was is not known."
        return Changed(Answer(), word, carried=True, heard=False)
    answer = at(sites[0], step_later(sites[0].file, sites[0].line, loss_of(now), failing=lines))
    return Changed(answer, word, carried=True, heard=False)


def _stepping(step: Lines, failing: Lines) -> Site:
    """The step; where one function steps and fails in turn, the call of it that stepped."""
    own, calls = step[0], parting(step, failing)
    shared = failing and (own.file, own.function) == (failing[0].file, failing[0].function)
    return calls if shared and calls is not None else own
