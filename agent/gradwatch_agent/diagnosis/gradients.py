"""`grads-accumulate`: whose gradients nobody clears."""

from __future__ import annotations

import ast

from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.flow.calls import not_called
from gradwatch_agent.source.gradients.clearing import clears_unseen
from gradwatch_agent.source.syntax.reading import dotted
from gradwatch_agent.source.syntax.statements import statements_of
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.verdicts.case import Answer


def of_uncleared(site: Site | None) -> Answer:
    """The step of the optimizer, by the name that it goes by there."""
    if site is None:
        return Answer()
    for file, named in not_called("zero_grad", [site.file]):
        advice = f"The method is named here, not called: `{ast.unparse(named)}()`."
        return at(Site(file, named.lineno, site.function), advice)
    name = _called_on(statement_at(site.file, site.line, calling=("step",)), "step")
    if name is None:
        return at(site)
    wrong = [
        (statement, other)
        for statement in statements_of(site.file, site.line)
        if statement.lineno < site.line
        and (other := _called_on(statement, "zero_grad")) is not None
        and other != name
    ]
    if wrong:
        statement, other = wrong[-1]
        place = Site(site.file, statement.lineno, site.function)
        advice = f"Here `{other}` is cleared, but `{name}` steps: `{name}.zero_grad()`."
        return at(place, advice)
    return at(site, f"Call `{name}.zero_grad()` once an iteration, before the backward.")


def cleared_unseen() -> bool:
    """Whether the program clears some where it cannot be seen."""
    return clears_unseen(own_files())


def _called_on(statement: ast.stmt | None, method: str) -> str | None:
    """On what the statement calls the method."""
    for call in ast.walk(statement) if statement is not None else ():
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
            if call.func.attr == method:
                return dotted(call.func.value)
            if method == "step" and call.args and isinstance(call.func.value, ast.Name):
                return dotted(call.args[0]) if call.func.attr == "step" else None
    return None
