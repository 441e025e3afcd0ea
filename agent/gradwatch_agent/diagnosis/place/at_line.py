"""An answer at a line."""

from __future__ import annotations

import ast
import os
from collections.abc import Callable
from dataclasses import replace

from gradwatch_agent.lines.sites import Site
from gradwatch_agent.source.gradients.hooks import Registration
from gradwatch_agent.source.stored.caches import cache_around
from gradwatch_agent.source.stored.defaults import Default
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import receiver
from gradwatch_agent.source.syntax.text import code_of, source_line, statement_at
from gradwatch_agent.source.syntax.vocabulary import WALKING
from gradwatch_agent.verdicts.case import Answer


def at_default(answer: Answer, default: Default) -> Answer:
    """Where a function that is kept got what it keeps."""
    code = code_of(default.file, default.statement)
    return at_line(answer, default.file, default.statement.lineno, code)


def at_site(answer: Answer, site: Site) -> Answer:
    """The same answer, at a line that was seen to do it."""
    return at_line(answer, site.file, site.line, source_line(site.file, site.line))


def line_of(answer: Answer, file: str | None) -> str:
    """The answer's line in words, as told where another one's file is: "line 12 of pool.py"."""
    other = (answer.file or "").rpartition(os.sep)[2] if answer.file != file else ""
    return f"line {answer.line}" + (f" of {other}" if other else "")


def at_cache(answer: Answer, store: Store, advise: Callable[[ast.expr], str]) -> Answer:
    """At the decorator by which a function remembers what it returns."""
    cache = cache_around(store.file, store.line)
    if cache is None:
        return at_line(answer, store.file, store.line, store.code)
    code = source_line(store.file, cache.lineno)
    return at_line(replace(answer, suggestion=advise(cache)), store.file, cache.lineno, code)


def at_line(answer: Answer, file: str, line: int, code: str | None) -> Answer:
    """The same answer, at a line."""
    return replace(answer, file=file, line=line, code=code)


def at_statement(answer: Answer, found: Store | Registration | None) -> Answer:
    """The same answer, at the statement, if there is one."""
    return answer if found is None else at_line(answer, found.file, found.line, found.code)


def at(site: Site | None, suggestion: str | None = None, holder: str | None = None) -> Answer:
    """A fault that lies in a call itself."""
    if site is None:
        return Answer(suggestion=suggestion, holder=holder)
    code = source_line(site.file, site.line)
    return Answer(site.file, site.line, code, holder, suggestion)


def loss_of(call: Site | None) -> str | None:
    """The name on which the backward of that line was called."""
    if call is None:
        return None
    statement = statement_at(call.file, call.line, calling=WALKING)
    return receiver(statement) if statement is not None else None
