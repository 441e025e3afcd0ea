"""Where a lambda is made that a function of the program's merely keeps.

`def add_lazy(self, later): self.waiting.append(later)` is no fault; of `log.add_lazy(lambda: float(
loss))` what it closes over is known there, and there alone it can be changed.
"""

from __future__ import annotations

import ast

from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import lambda_at
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.verdicts.case import Answer


def where_a_lambda_is_made(answer: Answer, known: Known, store: Store) -> Answer | None:
    """The answer there, if the statement around it calls the function that stores it."""
    root = known.example.root
    made, statement = lambda_at(root.file, root.line), statement_at(root.file, root.line)
    if made is None or statement is None:
        return None
    calls = (each for each in ast.walk(statement) if isinstance(each, ast.Call))
    given = [[*call.args, *call.keywords] for call in calls if called(call) == store.function]
    if not any(made in (part, getattr(part, "value", None)) for each in given for part in each):
        return None
    return at_line(answer, root.file, statement.lineno, code_of(root.file, statement))
