"""Where a log was given what a handler keeps in its records: each of them tells by itself."""

from __future__ import annotations

import ast
import logging
from dataclasses import replace

from gradwatch_agent.advice.by_name import by_its_name
from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.logged import logged_plain
from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming.lookups import value_at
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.verdicts.case import Answer


def where_logged(answer: Answer, known: Known, thing: Kept) -> Answer | None:
    """The same answer, at the call that logged the tensor; None of anything else."""
    given = next((step for step in known.example.back() if step.label == ".args"), None)
    record = value_at(given.parent) if given is not None and given.parent is not None else None
    if type(record) is not logging.LogRecord or not is_own(record.pathname):
        return None
    statement = statement_at(record.pathname, record.lineno)
    if statement is None or any(isinstance(node, ast.Starred) for node in ast.walk(statement)):
        return None  # handed on from elsewhere
    advice = logged_plain(thing, statement) or by_its_name(thing, record.pathname, statement)
    told = replace(answer, suggestion=advice or answer.suggestion)
    return at_line(told, record.pathname, statement.lineno, code_of(record.pathname, statement))
