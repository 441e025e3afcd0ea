"""For a record that the stored call hands back: how its function puts it together without a graph.

`log.append(step(batch))` cannot be told otherwise; in `step`, `return {"loss": loss}` can, if
nothing else calls that one. Pure but for reading.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import detached, replaced
from gradwatch_agent.advice.stored import inner_labels, stored
from gradwatch_agent.advice.within import of_kept
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.giving import callees, fits
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import Store, variable
from gradwatch_agent.source.syntax.statements import function_at, statements_of
from gradwatch_agent.source.syntax.text import code_of
from gradwatch_agent.source.syntax.vocabulary import ADDING


@dataclass(frozen=True, slots=True)
class HandedBack:
    """A statement that returns a record, or that fills the one that is returned."""

    file: str
    statement: ast.stmt
    code: str
    """The same with all that carries a graph detached."""

    @property
    def advice(self) -> str:
        """What to change."""
        does = "Hand it back" if isinstance(self.statement, ast.Return) else "Store it"
        return f"{does} without its graph: `{self.code}`."


def handed_back(kept: Kept, store: Store) -> HandedBack | None:
    """Where the record is put together; None if that is not to be told."""
    every, value, labels = kept.files, stored(store), inner_labels(kept, store)
    if (one := _joined_to_it(value, store)) is not None:
        value, labels = one, labels[1:]
    found = callees(value, every) if isinstance(value, ast.Call) else []
    if not labels or len(found) != 1:
        return None
    file, function = found[0]
    if len([each for _, each in calls_of(function.name, every) if fits(each, function)]) != 1:
        return None
    changed: list[tuple[ast.stmt, str]] = []
    for each in statements_of(file, function.body[0].lineno):
        if not isinstance(each, ast.Return):
            continue
        fills = _filling(file, each) if len(labels) == 1 else []
        changed += [(fill.node, code) for fill in fills if (code := _stores_cut(fill)) is not None]
        if not fills and (code := _cut(each, kept, labels)) is not None:
            changed.append((each, code))
    if len(changed) != 1 or changed[0][1] == code_of(file, changed[0][0]):
        return None
    return HandedBack(file, *changed[0])


def _joined_to_it(value: ast.expr | None, store: Store) -> ast.expr | None:
    """The one element that a list which is given anew is longer by: `rows + [row]`."""
    match value:
        case ast.BinOp(left=before, op=ast.Add(), right=ast.List(elts=[one])):
            return one if ast.unparse(before) == store.target else None
        case ast.List(elts=[ast.Starred(value=before), one]):
            return one if ast.unparse(before) == store.target else None
    return None


def _filling(file: str, statement: ast.Return) -> list[Store]:
    """Of a dict or a list that is returned by its name, the statements that fill it."""
    if not isinstance(statement.value, ast.Name):
        return []
    place = variable(file, function_at(file, statement.lineno), statement.value.id)
    every = index(file).puts.get(place, ())
    return [each for each in every if not each.fresh and ("[" in each.target or each.how in ADDING)]


def _stores_cut(fill: Store) -> str | None:
    value = stored(fill)
    return replaced(fill.node, value, detached(value)) if value is not None else None


def _cut(statement: ast.Return, kept: Kept, labels: tuple[str, ...]) -> str | None:
    """The statement with all that carries a graph detached."""
    value = statement.value
    if value is None:
        return None
    new = of_kept(kept, value, labels, detached)
    return replaced(statement, value, new) if new is not None else None
