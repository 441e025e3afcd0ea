"""`second-backward` within one iteration: two losses reach the same graph: which need not.

The answer lies in the optimizers. If the one that stepped after the first backward owns nothing
below what both reach, or what the first left there was cleared unused, the first loss had no
business there (a discriminator that trains through the generator); if it does, the second has none
(an actor's loss through the critic's value). Where nothing stepped and the first one's gradients
are gone, each stands for itself, and the second needs a graph of its own.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from types import FrameType

import torch

from gradwatch_agent.advice.cutting import cut_the_chain
from gradwatch_agent.advice.retaining import keeping
from gradwatch_agent.diagnosis.anew import called_anew
from gradwatch_agent.diagnosis.answering import answer_for, at
from gradwatch_agent.diagnosis.choosing import is_made_anew
from gradwatch_agent.diagnosis.critics import merely_weighs, roots_of, trains_its_own
from gradwatch_agent.diagnosis.graphs import (
    Shared,
    made_of,
    names_of,
    parameters,
    read_later,
    shared,
)
from gradwatch_agent.diagnosis.known import Known
from gradwatch_agent.diagnosis.parted import cut_in_the_first, cut_in_the_second
from gradwatch_agent.diagnosis.stored import store_of
from gradwatch_agent.diagnosis.untangling import (
    added_up,
    begins_anew,
    loss_before,
    made_anew,
    two_losses,
)
from gradwatch_agent.graph.passes import Earlier
from gradwatch_agent.kept.guards import is_guarded
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Lines, Site, parting
from gradwatch_agent.naming import Path
from gradwatch_agent.source.text import source_line
from gradwatch_agent.torch_seam import (
    Node,
    edges,
    holds_saved,
    is_freed,
    living_optimizers,
    stepped_by,
)
from gradwatch_agent.verdicts.case import Answer


def of_sharing(
    roots: list[Node], now: Site | None, earlier: Earlier, *, here: bool = False
) -> Answer:
    """Which of two backwards should not reach what both do. `here`: both are of this iteration."""
    if now is None or earlier.site == now:
        return Answer()
    since = earlier.sequence
    tops = shared(roots, since) or shared(roots) or shared(roots, since, partly=True)
    first, kept = keeping(earlier.lines) if not earlier.stepped else (None, None)
    if not tops:
        return at(first, kept, _holder(None, roots, [])) if kept else two_losses(now, earlier, None)
    top, path = _named(tops)
    if path is None:
        top, path = _named([*read_later(roots, tops, since), top])
        path = path or (_first_made(roots, tops) if here else None)
    if kept is not None:
        return at(first, kept, _holder(path, roots, tops))
    below = parameters([top.node for top in tops])
    if not earlier.stepped:
        other, nodes = roots_of(loss_before(earlier)), [top.node for top in tops]
        if merely_weighs(other, roots, nodes):
            return cut_in_the_first(path, earlier)
        if merely_weighs(roots, other, nodes):
            return cut_in_the_second(top, path, now)
        if begins_anew(now, earlier) and trains_its_own(roots, other, nodes):
            return cut_in_the_second(top, path, now)
        if not earlier.accumulates or not below or any(map(_has_gradient, below.values())):
            return two_losses(now, earlier, path)
        if not _others_wait(below):
            return made_anew(now, path)
    if below.keys().isdisjoint(earlier.owned):
        return cut_in_the_first(path, earlier)
    return replace(cut_in_the_second(top, path, now), holder=_whole(path, tops))


def _named(tops: list[Shared]) -> tuple[Shared, Path | None]:
    """The first of them that goes by a name, with the shortest one."""
    names = names_of([top.node for top in tops])
    top = next((top for top in tops if top.node in names), tops[0])
    return top, min(names.get(top.node, []), key=lambda p: p.steps, default=None)


def _whole(path: Path | None, tops: list[Shared]) -> str | None:
    """Its name; of one element of a list that is one among several of these, the list's."""
    if path is None or not path.index:
        return path.expression if path is not None else None
    found = [p for named in names_of([top.node for top in tops]).values() for p in named]
    elements = {p.expression for p in found if p.holder.expression == path.holder.expression}
    return path.holder.expression if len(elements) > 1 else path.expression


def _holder(path: Path | None, roots: list[Node], tops: list[Shared]) -> str | None:
    """The name of what was freed; else of the first that was made of it and has one."""
    found = path or _first_made(roots, tops) or _first_named(roots)
    return found.expression if found is not None else None


def _first_made(roots: list[Node], tops: list[Shared]) -> Path | None:
    """The first that was made of it and has a name, short of the loss itself."""
    made = made_of(roots, [top.node for top in tops])
    return _first_named([node for node in made if node not in roots])


def _first_named(nodes: list[Node]) -> Path | None:
    names = names_of(nodes)
    named = next((names[node] for node in nodes if node in names), [])
    return min(named, key=lambda p: p.steps, default=None)


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


def of_again(roots: list[Node], now: Site | None, since: int, *, here: bool = False) -> Answer:
    """By which name goes what an earlier backward freed, where nothing is known of that one.

    `since`: where the numbering of nodes stood after it, if this one has freed some by now itself.
    `here`: it was built in this iteration.
    """
    tops = shared(roots, since) or shared(roots, since, partly=True)
    names = names_of(_viewed(tops))
    paths = [path for found in names.values() for path in found]
    path = min(paths, key=lambda p: p.steps, default=None)
    first, kept = keeping((now,)) if now is not None else (None, None)
    holder = _holder(path, roots, tops)
    if kept is not None:
        return at(first, kept, holder)
    if path is None:
        added = added_up(now) if now is not None else Answer()
        return replace(added, holder=added.holder or holder)
    # What was made for this iteration alone may remember what it likes.
    own = here and is_made_anew(path.root, called_anew(sys._getframe()))  # noqa: SLF001
    store = store_of(path.holder) if not own else None
    if store is not None and (store.how == "return" or is_guarded(store.file, store.line)):
        return answer_for(Known(path.holder, path), cut_the_chain)
    advice = (
        "Add the losses and call backward once, or pass retain_graph=True to all but the last "
        f"backward of this graph; if this one is not to train what made `{path.expression}`, let "
        f"it read `{path.expression}.detach()`."
    )
    return at(now, advice, path.expression)


def of_closure(roots: list[Node], lines: Lines, since: int) -> Answer:
    """What was built once, ahead of an optimizer's step, though the step calls its closure again
    and again, and each call walks it. Nothing outside of such a step.
    """
    inside = _within_a_step(sys._getframe())  # noqa: SLF001
    if inside is None:
        return Answer()
    tops = shared(roots, since)
    names = names_of(_viewed(tops) or roots)
    path = min((p for found in names.values() for p in found), key=lambda p: p.steps, default=None)
    made = tops[0].made if tops else made_at(roots[0])
    site, store = parting(made, lines), store_of(path.holder) if path is not None else None
    if site is None and store is not None:
        site = Site(store.file, store.line, store.function)
    if site is None or (site.file, site.function) in inside:
        return Answer()
    name = path.expression if path is not None else "it"
    code = (source_line(site.file, site.line) or "").partition("  #")[0]
    advice = (
        f"Build `{name}` anew in each call of the closure: the optimizer calls it several times in "
        "a step, and the first backward frees what was built before. Move "
        f"`{code}` to where it is used there."
    )
    return at(site, advice, path.expression if path is not None else None)


def _within_a_step(frame: FrameType | None) -> set[tuple[str, str]] | None:
    """The functions that an optimizer's step has called, file and name; None outside of one."""
    called: set[tuple[str, str]] = set()
    while frame is not None:
        code = frame.f_code
        if code.co_name == "step" and "closure" in code.co_varnames[: code.co_argcount]:
            return called
        called.add((code.co_filename, code.co_name))
        frame = frame.f_back
    return None


def _viewed(tops: list[Shared]) -> list[Node]:
    """What was freed, and what it was made of by what saves nothing, as reshaping."""
    found, waiting = [], [top.node for top in tops]
    while waiting:
        node = waiting.pop()
        found.append(node)
        below = list(edges(node))
        if len(below) == 1 and not is_freed(node) and not holds_saved(node):
            waiting += below
    return found
