"""The error explains itself: a diagnosis as a note under the traceback the user stares at.

Owns the note, and finds out later whether an exception that ended training had one.
"""

from __future__ import annotations

from pathlib import Path

from gradwatch_agent.verdicts import Answer
from gradwatch_agent.wire import Finding

_MARK = "gradwatch: "

_CAUSES = 32
"""How far back a chain of exceptions is followed."""

_ANSWER = "_gradwatch_answer"


def explain(error: BaseException, sentence: str, answer: Answer | Finding) -> None:
    """Adds the note. Python 3.10 keeps it but does not show it."""
    lines = [_MARK + sentence]
    if answer.file is not None and answer.line is not None:
        lines.append(f"  {Path(answer.file).name}:{answer.line}  {answer.code or ''}".rstrip())
    if answer.suggestion is not None:
        lines.append(f"  change: {answer.suggestion}")
    notes: list[str] = [*getattr(error, "__notes__", ()), "\n".join(lines)]
    error.__notes__ = notes  # type: ignore[attr-defined]
    if isinstance(answer, Answer):
        setattr(error, _ANSWER, (sentence, answer))


def is_explained(error: BaseException | None) -> bool:
    """Whether a finding has explained this exception, or one that it came from."""
    for cause in causes(error):
        noted = any(str(note).startswith(_MARK) for note in getattr(cause, "__notes__", ()))
        if noted and not hasattr(cause, _ANSWER):
            return True
    return False


def answer_to(error: BaseException | None) -> tuple[str, Answer] | None:
    """The explanation of an exception that is no finding of its own until training ends by it."""
    for cause in causes(error):
        found: tuple[str, Answer] | None = getattr(cause, _ANSWER, None)
        if found is not None:
            return found
    return None


def causes(error: BaseException | None) -> list[BaseException]:
    """The exception, what it came from, and so on, as far as that is followed."""
    found: list[BaseException] = []
    while error is not None and len(found) < _CAUSES:
        found.append(error)
        error = error.__cause__ or error.__context__
    return found
