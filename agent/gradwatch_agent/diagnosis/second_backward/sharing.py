"""`second-backward` within one iteration: two losses reach the same graph: which need not.

The answer lies in the optimizers. If the one that stepped after the first backward owns nothing
below what both reach, or what the first left there was cleared unused, the first loss had no
business there (a discriminator that trains through the generator); if it does, the second has none
(an actor's loss through the critic's value). Where each reads what the other one trains, neither is
to reach it. Where nothing stepped and the first one's gradients are gone, or what was stepped alone
leads to what the second trains, each stands for itself, and the second needs a graph of its own.
"""

from __future__ import annotations

import functools
from collections.abc import Collection
from dataclasses import replace

from gradwatch_agent.advice.retaining import keeping
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.diagnosis.second_backward.called import (
    first_made,
    first_named,
    name_of,
    name_of_all,
    name_of_one,
    names_within,
    nearest,
)
from gradwatch_agent.diagnosis.second_backward.critics import (
    is_of_that_alone,
    merely_weighs,
    roots_of,
    tells_apart,
    trains_it_too,
    trains_its_own,
)
from gradwatch_agent.diagnosis.second_backward.dispatched import cut_in_the_other
from gradwatch_agent.diagnosis.second_backward.elsewhere import cut_where_else
from gradwatch_agent.diagnosis.second_backward.freed import Shared, met, read_later, shared
from gradwatch_agent.diagnosis.second_backward.judged import judged, judged_anew
from gradwatch_agent.diagnosis.second_backward.looped import by_one_statement
from gradwatch_agent.diagnosis.second_backward.parted import (
    cut_in_the_first,
    cut_in_the_second,
    reads_more,
    serves_others,
)
from gradwatch_agent.diagnosis.second_backward.refreshed import are_of_two_rounds, of_refreshed
from gradwatch_agent.diagnosis.second_backward.renewing import (
    made_anew,
    of_the_same_forward,
    the_same_again,
    whole_anew,
)
from gradwatch_agent.diagnosis.second_backward.untangling import (
    begins_anew,
    loss_before,
    two_losses,
)
from gradwatch_agent.diagnosis.stepping import (
    has_gradient,
    others_wait,
    owned,
    stepped_behind,
    trained_by,
)
from gradwatch_agent.graph.passes import Earlier
from gradwatch_agent.graph.walking import parameters, walk
from gradwatch_agent.lines.sites import Lines, Site
from gradwatch_agent.naming import Path
from gradwatch_agent.naming.making import names_of
from gradwatch_agent.torch_seam import LEAF, Node, sequence_of
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
        return by_one_statement(roots, now, earlier, lines, here=here)
    first, kept = keeping(earlier.lines) if not earlier.stepped else (None, None)
    if earlier.same and kept is None:
        return the_same_again(now, earlier, name_of_one(roots), names_within(roots))
    since = earlier.sequence
    tops = met(roots, roots_of(loss_before(earlier)))
    tops = tops or shared(roots, since) or shared(roots) or shared(roots, since, partly=True)
    if not tops and earlier.stepped:
        return _part_of_the_first(roots, now, earlier)
    if not tops:
        return at(first, kept, name_of(None, roots, [])) if kept else two_losses(now, earlier, None)
    top, path = first_named(tops)
    if path is None:
        top, path = first_named([*read_later(roots, tops, since), top])
        path = path or (first_made(roots, tops) if here else None)
    if kept is not None:
        return at(first, kept, name_of(path, roots, tops))
    if path is not None and path.index and not here and _is_of_another_round(top, now):
        return Answer()  # an earlier iteration put it by: whoever goes on with that is to be told
    turns = here and are_of_two_rounds(now, earlier.site)
    if turns and path is not None and (made := of_refreshed(path, now, turns=True)) is not None:
        return made
    if (each := _each_for_itself(tops, roots, now, earlier)) is not None:
        return each
    answer = _parted(path, roots, top, [top.node for top in tops], now, earlier)
    named = path is not None and answer.holder == path.expression
    return replace(answer, holder=name_of_all(path, tops)) if path is not None and named else answer


def _part_of_the_first(roots: list[Node], now: Site, earlier: Earlier) -> Answer:
    """Where the first loss was made of the second, and has been walked and stepped by."""
    path = nearest([path for paths in names_of(roots).values() for path in paths])
    if inputs := judged(roots, stepped_behind()):
        return judged_anew(now, now, path, inputs)
    return whole_anew(now, path, loss_before(earlier))


def _each_for_itself(
    tops: list[Shared], roots: list[Node], now: Site, earlier: Earlier
) -> Answer | None:
    """Where each loss reads what the other one trains, as of two networks that learn from each
    other: neither is to reach it. None else.
    """
    below = [(top, parameters([top.node]).keys()) for top in tops]
    trained = [top for top, weights in below if weights and weights <= set(earlier.owned)]
    other = [top for top, weights in below if weights and weights.isdisjoint(earlier.owned)]
    if len(trained) + len(other) < sum(bool(weights) for _, weights in below):
        return None
    (top, path), (their_top, theirs) = first_named(trained or tops), first_named(other or tops)
    if not (trained and other and path and theirs):
        return None
    second = _cut_in_the_second(path, top, now, [each.node for each in trained])
    first = _cut_in_the_first(theirs, roots, their_top, earlier, [each.node for each in other])
    if (first.file, first.line) == (second.file, second.line):
        return second  # one function makes both, of what it is given
    own, theirs_cut = str(second.suggestion).rstrip("."), str(first.suggestion).partition(": ")[2]
    also = f", nor the first one what this one trains: {theirs_cut}" if theirs_cut else "."
    return replace(second, suggestion=f"{own}{also}")


def _is_of_another_round(top: Shared, now: Site) -> bool:
    """Whether the function that calls this backward made it farther down, a round ago."""
    own = [each.line for each in top.made if (each.file, each.function) == (now.file, now.function)]
    return any(line > now.line for line in own)


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
    second = functools.partial(_cut_in_the_second, path, top, now, nodes)
    first = functools.partial(_cut_in_the_first, path, roots, top, earlier, nodes)
    if not earlier.stepped:
        other = roots_of(loss_before(earlier))
        if merely_weighs(other, roots, nodes) or tells_apart(other, roots, nodes):
            return first()
        if merely_weighs(roots, other, nodes) or tells_apart(roots, other, nodes):
            return second()
        if begins_anew(now, earlier) and trains_its_own(roots, trained_by(other), nodes):
            return second()
        if not earlier.accumulates or not below or any(map(has_gradient, below.values())):
            return two_losses(now, earlier, path)
        if not others_wait(below):
            in_vain = path is not None and below.keys() <= set(map(id, owned()))
            if path is not None and in_vain and reads_more(cut := first(), path):
                return cut
            return made_anew(now, path)
    if below.keys().isdisjoint(earlier.owned):
        return first()
    following = stepped_behind()
    if inputs := judged(nodes, following):
        return judged_anew(_reading(top, now), now, path, inputs)
    if trains_it_too(roots, nodes, earlier.owned):
        return made_anew(now, path, names_within(nodes), stepped=True)
    only = len(nodes) == 1 and is_of_that_alone(roots, nodes)
    if only or _trains_by(roots, nodes, following, earlier.owned):
        reading = _reading(top, now)
        answer = of_the_same_forward(reading, path, loss_before(earlier), only=only)
        # Where no lines are noted, the source tells where it reads that.
        return answer if top.used else replace(second(), suggestion=answer.suggestion)
    return second()


def _reading(top: Shared, now: Site) -> Site:
    """Where the second loss reads it, as far as lines are noted."""
    own = (each for each in top.used if not serves_others(each))
    return next(own, top.used[0] if top.used else now)


def _trains_by(
    roots: list[Node], nodes: list[Node], following: Collection[int], first: Collection[int]
) -> bool:
    """Whether what these made is the only way to weights that the `following` optimizer steps;
    where that is not known, some optimizer, and that of the `first` loss has not: cut, the second
    would train them no more.
    """
    ends = set(nodes)
    whole = walk(roots, ends=ends.__contains__)
    beside = {id(node.variable) for node in whole if sequence_of(node) >= LEAF}
    stepped = set(following) or set(map(id, owned())) - set(first)
    return not (parameters(nodes).keys() - beside).isdisjoint(stepped)


def _cut_in_the_first(
    path: Path | None, roots: list[Node], top: Shared, earlier: Earlier, nodes: list[Node]
) -> Answer:
    """The first loss needs no graph there: no optimizer stepped for it."""
    if path is None:
        return at(
            earlier.site,
            "Detach what this loss reads of the other network's output: its graph is freed here.",
        )
    beside = _named_beside(top, nodes)
    cut = cut_in_the_first(path, earlier, beside) or cut_in_the_other(path, earlier, top)
    return cut or cut_where_else(path, roots, top, earlier.site)


def _cut_in_the_second(path: Path | None, top: Shared, now: Site, nodes: list[Node]) -> Answer:
    """The second loss needs none: what it would train has been stepped."""
    return cut_in_the_second(top, path, now, _named_beside(top, nodes))


def _named_beside(top: Shared, nodes: list[Node]) -> list[Path]:
    """By which names the others of these go."""
    named = names_of([node for node in nodes if node is not top.node])
    return [found for paths in named.values() if (found := nearest(paths)) is not None]
