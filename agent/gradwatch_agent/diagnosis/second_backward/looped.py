"""`second-backward` of two losses that one statement walks, in a loop: which of them needs no graph
there.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Final

from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.diagnosis.second_backward.called import first_named, name_of
from gradwatch_agent.diagnosis.second_backward.each_others import cut_the_others
from gradwatch_agent.diagnosis.second_backward.elsewhere import cut_where_else
from gradwatch_agent.diagnosis.second_backward.freed import Shared, shared
from gradwatch_agent.diagnosis.second_backward.judged import judged, judged_anew
from gradwatch_agent.diagnosis.second_backward.parted import cut_in_the_second
from gradwatch_agent.diagnosis.second_backward.unnamed import only_below
from gradwatch_agent.diagnosis.stepping import (
    has_gradient,
    others_wait,
    owned,
    stepped_behind,
)
from gradwatch_agent.graph.passes import Earlier
from gradwatch_agent.graph.walking import parameters
from gradwatch_agent.lines.sites import Lines, Site, parting
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.flow.ahead import is_set_up
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import Body, body_around, is_in
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.torch_seam import Node
from gradwatch_agent.verdicts.case import Answer

_AT_ONCE: Final = (
    "What the loop goes through hangs on one graph, which the first backward frees, and the step "
    "changes its weights: add the losses of all, call backward once, and step then; or make each "
    "in its own round."
)


def by_one_statement(
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
    if path is not None and _is_read_elsewhere(top) and _trains_neither(below, earlier):
        return cut_in_the_second(top, path, now)
    peers = cut_the_others(path.name, now) if here and path and earlier.stepped else None
    if peers is not None:
        return peers
    if top.used and _is_of_both(top.used[0], lines):
        return Answer()
    if here and _makes_both(top.used, lines) and _is_before_the_loop(top.made, lines):
        return at(now, _AT_ONCE, name_of(path, roots, tops)) if earlier.stepped else Answer()
    if earlier.stepped and not below.keys().isdisjoint(earlier.owned):
        others = parameters(roots).keys() - earlier.owned
        trains_others = any(id(each) in others for each in owned())
        inputs = judged([each.node for each in tops], stepped_behind())
        if trains_others and inputs:
            site = top.used[0] if top.used else now
            return judged_anew(site, now, path or only_below(top), inputs)
        if trains_others:
            return cut_in_the_second(top, path, now)
        parted = bool(top.used) and _is_ahead(top.used, lines, drawn=False)
        return at(now, _AT_ONCE, name_of(None, roots, tops)) if parted else Answer()
    cleared = earlier.accumulates and not any(map(has_gradient, below.values()))
    in_vain = earlier.stepped or (here and cleared and others_wait(below))
    if path is None or not in_vain:
        return Answer()
    return cut_where_else(path, roots, top, now)


def _is_read_elsewhere(top: Shared) -> bool:
    """Whether the function that reads it is none of those that have made it."""
    made = {(each.file, each.function) for each in top.made}
    return bool(top.used) and (top.used[0].file, top.used[0].function) not in made


def _trains_neither(below: Collection[int], earlier: Earlier) -> bool:
    """Whether no step behind either of them is of these weights: a critic trained several times on
    what a generator has made once.
    """
    following = stepped_behind()
    return (
        bool(following)
        and earlier.stepped
        and following.isdisjoint(below)
        and set(below).isdisjoint(earlier.owned)
    )


def _is_ahead(built: Lines, lines: Lines, *, drawn: bool = True) -> bool:
    """Whether these lines are none of the innermost loop that comes round to the call, but run more
    than once: what was built ahead of all training is no loss's of two. `drawn`: so is what the
    loop's head may draw anew in each round.
    """
    site, call = parting(built, lines), parting(lines, built)
    body = body_around(call.file, call.line) if call is not None else None
    if site is None or call is None or body is None:
        return False
    if is_set_up(site.file, site.line, own_files()) or _by_turns(site, body):
        return False
    rounds = loops_at(body, call.line)
    if not rounds or (not drawn and rounds[-1].lineno <= site.line <= rounds[-1].body[0].lineno):
        return False
    return not (site.file == call.file and is_in(rounds[-1].body, site.line))


def _by_turns(site: Site, body: Body) -> bool:
    """Whether the line is of another task than the call's body, which runs between its rounds."""
    own = body_around(site.file, site.line)
    coroutines = isinstance(own, ast.AsyncFunctionDef) and isinstance(body, ast.AsyncFunctionDef)
    return coroutines and own is not body


def _is_before_the_loop(made: Lines, lines: Lines) -> bool:
    """Whether the function that calls made it ahead of the innermost loop around the call, and not
    behind it, a round ago of the one around that.
    """
    site, call = parting(made, lines), parting(lines, made)
    body = body_around(call.file, call.line) if call is not None else None
    rounds = loops_at(body, call.line) if body is not None and call is not None else []
    return site is not None and bool(rounds) and site.line < rounds[-1].lineno


def _makes_both(used: Lines, lines: Lines) -> bool:
    """Whether each round of the loop makes its loss by the same statement, and by what that calls
    by name, nothing that is handed over.
    """
    site = parting(used, lines)
    if site is None or not _is_of_both(site, lines):
        return False
    place = used.index(site)
    statement = statement_at(site.file, site.line)
    calls = (node for node in ast.walk(statement or ast.Pass()) if isinstance(node, ast.Call))
    return place > 0 and used[place - 1].function in {called(call) for call in calls}


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
