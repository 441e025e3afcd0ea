"""Several names that keep graphs, each by itself: all that is to be changed, in one answer."""

from __future__ import annotations

from dataclasses import replace

from gradwatch_agent.advice.letting_go import let_go
from gradwatch_agent.diagnosis.held.reach import Reach
from gradwatch_agent.diagnosis.place.answering import answer_for
from gradwatch_agent.diagnosis.place.at_line import line_of
from gradwatch_agent.diagnosis.place.seen import Seen
from gradwatch_agent.verdicts.case import Answer


def with_others(answer: Answer, reach: Reach, seen: Seen) -> Answer:
    """With all that is to be changed, for one change alone would help nobody."""
    # Of what one makes of the other, a number would have nothing to detach.
    plain = (replace(each, scalar=False) for each in reach.others)
    others = [answer_for(each, let_go, reach.aliases, seen) for each in plain]
    told, more = {(answer.file, answer.line, answer.code)}, ""
    for each in others:  # of two statements on one line, each has a code of its own
        if each.line is not None and (each.file, each.line, each.code) not in told:
            told.add((each.file, each.line, each.code))
            more += f" For `{each.holder}`, in {line_of(each, answer.file)}: {each.suggestion}"
    holders = tuple(each.holder for each in others if each.holder is not None)
    return replace(answer, suggestion=f"{answer.suggestion}{more}", others=holders)
