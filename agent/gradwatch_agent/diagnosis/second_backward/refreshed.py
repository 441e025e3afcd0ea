"""`second-backward` of what is made every so many rounds of a loop, met by the backward of a round
that has not made it.
"""

from __future__ import annotations

import ast

from gradwatch_agent.advice.caching import anew_for_each
from gradwatch_agent.advice.remembering import is_refreshed
from gradwatch_agent.diagnosis.place.answering import answer_for
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.diagnosis.place.stored import store_of
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around, choices_of, is_in, is_within
from gradwatch_agent.verdicts.case import Answer


def of_refreshed(path: Path, now: Site, *, turns: bool = False) -> Answer | None:
    """Where it is made; None where that is done in another way. `turns`: it was made in a round
    before this one.
    """
    store = store_of(path.holder)
    if store is None:
        return None
    if not (_is_made_now_and_then(store, now) or (turns and is_refreshed(store, own_files()))):
        return None
    return answer_for(Known(path.holder, path), anew_for_each)


def _is_made_now_and_then(store: Store, now: Site) -> bool:
    """Whether each round of the loop that calls backward asks the function for it, where it stands
    behind a question, and this round has not made it anew: refreshed every so many steps.
    """
    body, there = body_around(store.file, store.line), body_around(now.file, now.line)
    if body is None or there is None or store.how != "assign" or "." not in store.target:
        return False
    asks = any(is_within(n, store.line) for n in choices_of(body))
    round_ = max(loops_at(there, now.line), key=lambda loop: loop.lineno, default=None)
    calls = [node for node in ast.walk(round_) if isinstance(node, ast.Call)] if round_ else []
    return asks and body is not there and any(called(call) == store.function for call in calls)


def are_of_two_rounds(one: Site, other: Site) -> bool:
    """Whether no round of a loop comes to both, of which each is in another branch: losses that are
    walked in turns, which one iteration may hold.
    """
    body = body_around(one.file, one.line)
    if body is None or (one.file, one.function) != (other.file, other.function):
        return False
    return any(
        (is_in(choice.body, one.line) and is_in(choice.orelse, other.line))
        or (is_in(choice.orelse, one.line) and is_in(choice.body, other.line))
        for choice in choices_of(body)
    )
