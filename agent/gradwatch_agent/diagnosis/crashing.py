"""The case of an exception that ended training, where no finding has explained it already."""

from __future__ import annotations

from dataclasses import replace

from gradwatch_agent.diagnosis.explaining import answer_to, causes, explain, is_explained
from gradwatch_agent.diagnosis.refused import of_refused
from gradwatch_agent.lines.sites import raised_at
from gradwatch_agent.source.syntax.text import source_line
from gradwatch_agent.torch_seam import is_out_of_memory
from gradwatch_agent.verdicts.case import Case
from gradwatch_agent.verdicts.life import crashed


def told(error: BaseException) -> str:
    """The exception in words, as the interpreter's last line has it."""
    return f"{type(error).__name__}: {error}"


def ran_out(error: BaseException) -> bool:
    """Whether it is that there was no memory left, or came of that."""
    return any(is_out_of_memory(cause) for cause in causes(error))


def explain_refusal(error: BaseException) -> None:
    """Adds what is known of an exception that torch, or a gradient that is not there, has raised
    in a statement of the user's.
    """
    known = is_explained(error) or answer_to(error) is not None
    if not known and (refused := of_refused(error)) is not None:
        explain(error, *refused)


def ended_by(error: BaseException, iteration: int) -> Case | None:
    """With what its explanation knows, else with the user's line that raised."""
    if is_explained(error):
        return None
    case = crashed(iteration, told(error))
    if (explanation := answer_to(error)) is not None:
        sentence, answer = explanation
        return replace(case, message=sentence, **answer.known)
    if (site := raised_at(error)) is None:
        return case
    code = source_line(site.file, site.line)
    return replace(case, file=site.file, line=site.line, code=code)
