"""Other tensors that the same backward finds changed: it fails for them once the one is mended."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gradwatch_agent.diagnosis.inplace.stepped import Changed


def with_others(first: Changed, others: Iterable[Changed]) -> Changed:
    """The first, with what to write in the statements that changed the others, where each is told
    as code: `self.left.copy_(...)` beside `self.right.copy_(...)`.
    """
    answer, told = first.answer, {first.answer.line}
    more = ""
    for each in (other.answer for other in others):
        if each.file == answer.file and each.line not in told and _is_code(each.suggestion):
            told.add(each.line)
            more += f" In line {each.line}, too: `{(each.suggestion or '').split('`')[1]}`."
    if not more or not _is_code(answer.suggestion):
        return first
    return replace(first, answer=replace(answer, suggestion=f"{answer.suggestion}{more}"))


def _is_code(advice: str | None) -> bool:
    """Whether it is one statement to be written instead."""
    return advice is not None and advice.count("`") == len("``") and advice.endswith("`.")
