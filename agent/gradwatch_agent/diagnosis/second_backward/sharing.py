"""`second-backward` within one iteration: two losses reach the same graph: which need not.

The answer lies in the optimizers. If the one that stepped after the first backward owns nothing
below what both reach, or what the first left there was cleared unused, the first loss had no
business there (a discriminator that trains through the generator); if it does, the second has none
(an actor's loss through the critic's value). Where nothing stepped and the first one's gradients
are gone, each stands for itself, and the second needs a graph of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

import torch

from gradwatch_agent.advice.retaining import keeping
from gradwatch_agent.diagnosis.graphs import (
    Shared,
    made_of,
    names_of,
    parameters,
    read_later,
    shared,
)
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.diagnosis.second_backward.called import (
    first_made,
    first_named,
    name_of,
    name_of_all,
    name_of_one,
    names_within,
)
from gradwatch_agent.diagnosis.second_backward.critics import (
    merely_weighs,
    roots_of,
    trains_its_own,
)
from gradwatch_agent.diagnosis.second_backward.elsewhere import cut_where_else
from gradwatch_agent.diagnosis.second_backward.parted import cut_in_the_first, cut_in_the_second
from gradwatch_agent.diagnosis.second_backward.untangling import (
    begins_anew,
    loss_before,
    made_anew,
    the_same_again,
    two_losses,
)
from gradwatch_agent.graph.passes import Earlier
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Lines, Site, parting
from gradwatch_agent.naming import Path
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.syntax.statements import body_around, is_in
from gradwatch_agent.torch_seam import Node, living_optimizers, stepped_by
from gradwatch_agent.verdicts.case import Answer


def of_sharing(
    roots: list[Node], now: Site | None, earlier: Earlier, *, lines: Lines, here: bool = False
) -> Answer:
    """Which of two backwards should not reach what both do. `lines`: of the call that fails.
    `here`: both are of this iteration.
    """
    if now is None:
        return Answer()
    if earlier.site == now:
        if earlier.same:
            return Answer()
        return _by_one_statement(roots, now, earlier, lines, here=here)
    first, kept = keeping(earlier.lines) if not earlier.stepped else (None, None)
    if earlier.same and kept is None:
        return the_same_again(now, earlier, name_of_one(roots), names_within(roots))
    since = earlier.sequence
    tops = shared(roots, since) or shared(roots) or shared(roots, since, partly=True)
    if not tops:
        return at(first, kept, name_of(None, roots, [])) if kept else two_losses(now, earlier, None)
    top, path = first_named(tops)
    if path is None:
        top, path = first_named([*read_later(roots, tops, since), top])
        path = path or (first_made(roots, tops) if here else None)
    if kept is not None:
        return at(first, kept, name_of(path, roots, tops))
    answer = _parted(path, roots, top, [top.node for top in tops], now, earlier)
    named = path is not None and answer.holder == path.expression
    return replace(answer, holder=name_of_all(path, tops)) if path is not None and named else answer


def _by_one_statement(
    roots: list[Node], now: Site, earlier: Earlier, lines: Lines, *, here: bool
) -> Answer:
    """Where a loop calls both backwards, whatever losses it is given: which of them had no business
    there is told by what was stepped in between, or by what became of the first one's gradients.
    """
    tops = shared(roots, earlier.sequence) or shared(roots)
    below = parameters([top.node for top in tops])
    if not below:
        return Answer()
    top, path = first_named(tops)
    if not here and not _is_ahead(top.made, lines):
        return Answer()  # one round has left it to the next
    if top.used and _is_of_both(top.used[0], lines):
        return Answer()
    if earlier.stepped and not below.keys().isdisjoint(earlier.owned):
        others = parameters(roots).keys() - earlier.owned
        trains_others = any(id(each) in others for each in _owned())
        return cut_in_the_second(top, path, now) if trains_others else Answer()
    cleared = earlier.accumulates and not any(map(_has_gradient, below.values()))
    in_vain = earlier.stepped or (here and cleared and _others_wait(below))
    if path is None or not in_vain:
        return Answer()
    made = [site for node in made_of(roots, [top.node]) for site in made_at(node)]
    return cut_where_else(path, names_of([top.node]).get(top.node, []), top.used, made, now)


def _is_ahead(built: Lines, lines: Lines) -> bool:
    """Whether these lines are none of the innermost loop that comes round to the call."""
    site, call = parting(built, lines), parting(lines, built)
    body = body_around(call.file, call.line) if call is not None else None
    if site is None or call is None or body is None:
        return False
    rounds = loops_at(body, call.line)
    return bool(rounds) and not (site.file == call.file and is_in(rounds[-1].body, site.line))


def _is_of_both(used: Site, lines: Lines) -> bool:
    """Whether the line is run for each of the losses, as the call is: in the same round of the same
    function's loop.
    """
    for call in lines:
        if (call.file, call.function) == (used.file, used.function):
            body = body_around(call.file, call.line)
            rounds = loops_at(body, call.line) if body is not None else []
            return not rounds or is_in(rounds[-1].body, used.line)
    return False


def _parted(
    path: Path | None,
    roots: list[Node],
    top: Shared,
    nodes: list[Node],
    now: Site,
    earlier: Earlier,
) -> Answer:
    """Which of the two is to let go of what both reach, which these nodes have made."""
    below = parameters(nodes)
    if not earlier.stepped:
        other = roots_of(loss_before(earlier))
        if merely_weighs(other, roots, nodes):
            return cut_in_the_first(path, earlier)
        if merely_weighs(roots, other, nodes):
            return cut_in_the_second(top, path, now)
        if begins_anew(now, earlier) and trains_its_own(roots, _trained_by(other), nodes):
            return cut_in_the_second(top, path, now)
        if not earlier.accumulates or not below or any(map(_has_gradient, below.values())):
            return two_losses(now, earlier, path)
        if not _others_wait(below):
            return made_anew(now, path)
    if below.keys().isdisjoint(earlier.owned):
        return cut_in_the_first(path, earlier)
    return cut_in_the_second(top, path, now)


def _trained_by(roots: list[Node]) -> Collection[int]:
    """The ids of what a loss of that graph trains; of one that is gone, what waits for a step."""
    if roots:
        return parameters(roots).keys()
    return {id(each) for each in _owned() if _has_gradient(each)}


def _owned() -> Iterator[torch.Tensor]:
    """What any optimizer steps."""
    return (each for optimizer in living_optimizers() for each in stepped_by(optimizer))


def _others_wait(below: Mapping[int, torch.Tensor]) -> bool:
    """Whether gradients wait to be used by an optimizer that has none of these, whose own are all
    cleared: in vain were they made.
    """
    owned = map(stepped_by, living_optimizers())
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
