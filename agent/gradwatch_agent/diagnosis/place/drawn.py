"""What a loop's head gives a name: it was computed where the loop draws from."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import Final

from gradwatch_agent.diagnosis.place.at_line import at_site
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.gradients.differentiated import differentiated
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import reads
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.verdicts.case import Answer


def is_loop(store: Store | None, seen: tuple[Site, ...]) -> bool:
    """Whether a loop's head is all that is known to store: what it is given was made elsewhere."""
    node: ast.AST | None = store.node if store is not None else None
    if store is None and seen:
        node = statement_at(seen[-1].file, seen[-1].line)
    return isinstance(node, ast.For | ast.AsyncFor)


def drawn(answer: Answer, made: Site, loop: Store | None) -> Answer:
    """Of a state that a loop draws, and that goes on where it is drawn from: to detach it there as
    it is handed out would leave the loss nothing to train by.
    """
    advice = "Detach there what is left from the round before, as it is read: x.detach() for x."
    match statement_at(made.file, made.line):
        case ast.Assign(targets=[target, *_], value=value) if ast.unparse(target) in reads(value):
            name = ast.unparse(target)
            leaf = ".requires_grad_()" if name in differentiated(own_files()) else ""
            advice = f"At the start of each round there: `{name} = {name}.detach(){leaf}`."
        case _ if loop is not None and _is_ahead_of(loop, made):
            advice = _AT_ONCE
    return at_site(replace(answer, suggestion=advice), made)


_AT_ONCE: Final = (
    "What the loop goes through was computed once, and its graph is gone after the first backward: "
    "add up the losses and call backward once, behind the loop; or compute in each round what that "
    "one needs. Or, if it is a constant here, detach it."
)


def _is_ahead_of(loop: Store, made: Site) -> bool:
    """Whether the line comes before what the loop does in each round, its head included."""
    around = body_around(loop.file, loop.line)
    return (
        made.line <= loop.line
        and made.file == loop.file
        and (around is body_around(made.file, made.line))
    )
