"""`second-backward` of a graph of which nothing is known but that it was walked already: by which
name it goes, or where an optimizer's closure should have built it.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import replace
from types import CodeType, FrameType, FunctionType
from typing import Any, Final

from gradwatch_agent.advice.anew import move_it
from gradwatch_agent.advice.cutting import cut_the_chain
from gradwatch_agent.advice.retaining import keeping
from gradwatch_agent.diagnosis.lasting.anew import called_anew
from gradwatch_agent.diagnosis.lasting.variables import is_made_anew
from gradwatch_agent.diagnosis.place.answering import answer_for
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.diagnosis.place.stored import store_of
from gradwatch_agent.diagnosis.second_backward.called import name_of, nearest, viewed
from gradwatch_agent.diagnosis.second_backward.freed import Shared, shared
from gradwatch_agent.diagnosis.second_backward.refreshed import of_refreshed
from gradwatch_agent.diagnosis.second_backward.renewing import added_up
from gradwatch_agent.graph.passes import Passes
from gradwatch_agent.graph.walking import bottom_up, parameters
from gradwatch_agent.kept.guards import is_guarded
from gradwatch_agent.lines.capture import made_at
from gradwatch_agent.lines.sites import Lines, Site, parting
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.captured import unwrapped
from gradwatch_agent.naming.frames import Locals
from gradwatch_agent.naming.making import names_of
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.flow.once import runs_once
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.comments import without_comment
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.torch_seam import LEAF, Node, sequence_of
from gradwatch_agent.verdicts.case import Answer

_AHEAD: Final = ", ahead of the steps, which change the weights it was made with"

_KEEP: Final = "pass retain_graph=True to all but the last backward of this graph"


def of_again(
    roots: list[Node],
    now: Site | None,
    since: int,
    *,
    passes: Passes,
    here: bool = False,
) -> Answer:
    """By which name goes what an earlier backward freed, where nothing is known of that one.

    `since`: where the numbering of nodes stood after it, if this one has freed some by now itself.
    `here`: it was built in this iteration.
    """
    tops = shared(roots, since) or shared(roots, since, partly=True)
    named = names_of(viewed(tops) or ([] if here else roots), closely=here)
    put_away = _put_away(named) if not here else None
    if put_away is not None and put_away.collection is not None:
        return answer_for(Known(put_away.collection, put_away, lone=not tops), cut_the_chain)
    path = nearest(_all(named)) if tops else None
    first, kept = keeping((now,)) if now is not None else (None, None)
    holder = name_of(path, roots, tops)
    if kept is not None:
        return at(first, kept, holder)
    if now is not None and _takes_each_by_itself(now):
        return at(now, f"The gradients of each loss are read by themselves: {_KEEP}.", holder)
    if path is None:
        if not here and now is not None and (built := _built_once(_all(named), now)) is not None:
            return at(Site(built.file, built.line, built.function), move_it(built), holder)
        added = added_up(now) if now is not None else Answer()
        return replace(added, holder=added.holder or holder)
    # What was made for this iteration alone may remember what it likes.
    own = here and is_made_anew(path.root, called_anew(sys._getframe()))  # noqa: SLF001
    store = store_of(path.holder) if not own else None
    if store is not None and (store.how == "return" or is_guarded(store.file, store.line)):
        return answer_for(Known(path.holder, path), cut_the_chain)
    made = of_refreshed(path, now) if not own and now is not None else None
    if made is not None:
        return made
    stepped = any(_is_stepped(top.node, passes) for top in tops)
    both = f"Add the losses and call backward once{_AHEAD if stepped else f', or {_KEEP}'}"
    name = path.expression
    cut = f"if this one is not to train what made `{name}`, let it read `{name}.detach()`"
    return at(now, f"{both}; {cut}.", name)


def _is_stepped(node: Node, passes: Passes) -> bool:
    """Whether a step has changed weights that it was made with."""
    steps = passes.steps_after(passes.walked_at - 1)  # since the backward before this one
    below = parameters([node]).keys() if steps else set()
    return any(not below.isdisjoint(step.owned) for step in steps)


def _takes_each_by_itself(now: Site) -> bool:
    """Whether the loop that walks one loss after the other reads the gradients in each round, as to
    clip those of each sample.
    """
    body = body_around(now.file, now.line)
    loop = (
        max(loops_at(body, now.line), key=lambda each: each.lineno, default=None) if body else None
    )
    return loop is not None and any(
        isinstance(node, ast.Attribute)
        and node.attr == "grad"
        and isinstance(node.ctx, ast.Load)
        and node.lineno > now.line
        for node in ast.walk(loop)
    )


def _put_away(named: dict[Node, list[Path]]) -> Path | None:
    """The one of them by which an earlier iteration put it into a container: whoever goes through
    that has a name of his own for it, but carries nothing over.
    """
    return nearest(path for path in _all(named) if _put_into(path) is not None)


def _put_into(path: Path) -> Store | None:
    """The statement that put it into the container in which it lies, if it lies in one."""
    store = store_of(path.collection) if path.collection is not None else None
    return store if store is not None and not store.fresh else None


def _built_once(paths: Iterator[Path], now: Site) -> Store | None:
    """The statement that gave the loss its name once, ahead of the loop that walks it."""
    loss = nearest(paths)
    store = store_of(loss) if loss is not None else None
    if store is None or store.how != "assign" or store.accumulates:
        return None
    body, there = body_around(store.file, store.line), body_around(now.file, now.line)
    if (
        there is not None
        and body is there
        and set(loops_at(body, store.line)) < set(loops_at(there, now.line))
    ):
        return store
    return store if runs_once(store.file, store.line, own_files()) else None


def _all(named: dict[Node, list[Path]]) -> Iterator[Path]:
    return (path for paths in named.values() for path in paths)


def of_closure(roots: list[Node], lines: Lines, since: int) -> Answer:
    """What was built once, ahead of an optimizer's step, though the step calls its closure again
    and again, and each call walks it. Nothing outside of such a step.
    """
    inside = _within_a_step(sys._getframe())  # noqa: SLF001
    if inside is None:
        return Answer()
    tops = _outside(shared(roots, since), lines, inside)
    names = names_of(viewed(tops) or roots)
    path = min((p for found in names.values() for p in found), key=lambda p: p.steps, default=None)
    made = tops[0].made if tops else made_at(roots[0])
    site, store = parting(made, lines), store_of(path.holder) if path is not None else None
    if site is None and store is not None:
        site = Site(store.file, store.line, store.function)
    if site is None or (site.file, site.function) in inside:
        return Answer()
    name = path.expression if path is not None else "it"
    below = bottom_up([top.node for top in tops] or roots)
    code = "; ".join(_statements(site, {site.line, *_beneath(below, lines, site)}))
    advice = (
        f"Build `{name}` anew in each call of the closure: the optimizer calls it several times in "
        "a step, and the first backward frees what was built before. Move "
        f"`{code}` to where it is used there."
    )
    return at(site, advice, path.expression if path is not None else None)


def _beneath(nodes: list[Node], lines: Lines, site: Site) -> set[int]:
    """The lines of the same function that have built these."""
    made = (made_at(node) for node in nodes if sequence_of(node) < LEAF)
    sites = (own for each in made if (own := parting(each, lines)) is not None)
    return {own.line for own in sites if (own.file, own.function) == (site.file, site.function)}


def _statements(site: Site, lines: set[int]) -> list[str]:
    """What is to be moved, as it is written, in its order."""
    every = (statement_at(site.file, line) for line in sorted(lines))
    ahead = (each for each in every if each is not None and each.lineno <= site.line)
    return [without_comment(code_of(site.file, each)) for each in dict.fromkeys(ahead)]


def _outside(tops: list[Shared], lines: Lines, inside: set[tuple[str, str]]) -> list[Shared]:
    """Those that none of these functions made; else the uppermost such node below: where they only
    put it together with something, nothing was saved that could be freed.
    """
    if outside := [top for top in tops if not _is_of(top.made, lines, inside)]:
        return outside
    for node in reversed(bottom_up([top.node for top in tops])):
        made = made_at(node) if sequence_of(node) < LEAF else ()
        if made and not _is_of(made, lines, inside):
            return [Shared(node, tops[0].used, made)]
    return []


def _is_of(made: Lines, lines: Lines, inside: set[tuple[str, str]]) -> bool:
    """Whether it was made by one of these functions, in whatever call of it."""
    site = parting(made, lines)
    return site is not None and (site.file, site.function) in inside


def _within_a_step(frame: FrameType | None) -> set[tuple[str, str]] | None:
    """The functions that an optimizer's step has called, file and name; None outside of one, and
    where the step is not calling its closure.
    """
    called: set[tuple[str, str]] = set()
    running: set[CodeType] = set()
    while frame is not None:
        code = frame.f_code
        if code.co_name == "step" and "closure" in code.co_varnames[: code.co_argcount]:
            closure = _closure_of(frame)
            codes = _codes(closure)
            calls = closure is not None and (not codes or not codes.isdisjoint(running))
            return called if calls else None
        called.add((code.co_filename, code.co_name))
        running.add(code)
        frame = frame.f_back
    return None


def _closure_of(step: FrameType) -> Any:
    local = Locals()
    try:
        return local.of(step).get("closure")
    finally:
        local.clear()


def _codes(function: Any) -> set[CodeType]:
    """Of a function, and of what it is laid around; none of what has no code of Python's."""
    inner = [each for each, is_code in unwrapped(function) if is_code]
    own = {function.__code__} if isinstance(function, FunctionType) else set()
    return own.union(*map(_codes, inner))
