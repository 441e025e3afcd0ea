"""For what changes weights, or what else a backward still needs, too soon: let it wait. Pure."""

from __future__ import annotations

from typing import Final

from gradwatch_agent.source.flow.entering import BLOCKS
from gradwatch_agent.source.syntax.text import code_of, statement_at

SOME_LOSS: Final = "the loss"
"""One whose name is not known."""


def step_later(file: str, line: int, loss: str | None, waits: str | None = None) -> str:
    """For a step between a forward and its backward; `waits` names what the forward has made."""
    statement = statement_at(file, line)
    step = code_of(file, statement).partition("  #")[0] if statement is not None else "the step"
    named = waits or (loss if loss != SOME_LOSS else None)
    anew = f"compute `{named}` anew" if named else "do the forward anew"
    if loss is None:
        return f"Call every backward before `{step}`, or {anew} after it."
    backward = f"`{loss}.backward()`" if loss != SOME_LOSS else "the loss's backward"
    if isinstance(statement, BLOCKS):
        return (
            f"Call {backward} within `{step}`, which changes the weights in place when it "
            f"is left, or {anew} after it."
        )
    who = "a step" if ".step(" in step else "it"
    return (
        f"Call {backward} before `{step}`, or {anew} after it: {who} changes the weights in place."
    )


def call_later(file: str, line: int) -> str:
    """For a call that changes what a backward still needs, by one of several statements."""
    statement = statement_at(file, line)
    call = code_of(file, statement).partition("  #")[0] if statement is not None else "the call"
    return f"Call `{call}` after the backward, or let it change a copy (x = x.clone())."
