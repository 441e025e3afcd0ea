"""Where a record is put together, when a function of its own merely puts it away, or hands it back.

`def push(self, t): self.ring.append(t)` is no fault; `memory.push(Step(x, log_prob))` is, and only
there can `log_prob.detach()` be written. Nor is `def push(self, *parts): self.ring.append(parts)`,
but `memory.push(x, log_prob)`. So is, of `state = step(state)`, the `return replace(state,
mean=mean)` within.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.stored import inner_labels, stored
from gradwatch_agent.advice.storing import without_graph
from gradwatch_agent.diagnosis.place.putting import giving, merely_puts_away
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.giving import callees, given
from gradwatch_agent.source.flow.loops import is_behind_backward
from gradwatch_agent.source.stored.stores import Store, attribute, stores, variable
from gradwatch_agent.source.syntax.statements import (
    body_around,
    function_at,
)


def put_together(store: Store, thing: Kept, files: Iterable[str]) -> Store:
    """Where what is stored was put together, if only one call may have; else the same store."""
    if not inner_labels(thing, store):
        return store  # the tensor itself is stored
    if (given_first := _given_first(store, thing)) is not None:
        return given_first
    function = body_around(store.file, store.line)
    if isinstance(function, ast.Module | None):
        return store
    calls = [call for call in giving(function, store, files) if _carries(call, thing)]
    return calls[0] if len(calls) == 1 else store


def _given_first(store: Store, thing: Kept) -> Store | None:
    """The statement ahead, behind the backward, by which a record of the function's own is given
    what has a graph: `row["bias"] = (mean - y).mean()` of `rows.append(row)`.
    """
    value, label = stored(store), inner_labels(thing, store)[0]
    if not isinstance(value, ast.Name) or not label.startswith("["):
        return None
    place = variable(store.file, function_at(store.file, store.line), value.id)
    found = [
        each
        for each in stores([place], [store.file])
        if each.how == "assign" and each.key is not None and f"[{each.key}]" == label
    ]
    if len(found) != 1 or found[0].line > store.line or not is_behind_backward(found[0]):
        return None
    return found[0] if _carries(found[0], thing) else None


def by_setter(store: Store, files: Iterable[str]) -> Store:
    """The assignment that a property's setter carries out, if only one may be; else the same. One
    that gathers does more than it says: what is to be changed is there.
    """
    function = body_around(store.file, store.line)
    if store.accumulates:
        return store
    if not isinstance(function, ast.FunctionDef) or not merely_puts_away(store, function):
        return store
    name = _property_of(function)
    found = [
        each
        for each in (stores([attribute(name)], files) if name is not None else ())
        if not each.fresh and not each.constructs
        if not each.own or each.owner == store.owner
    ]
    return found[0] if len(found) == 1 else store


def by_constructor(store: Store, files: Iterable[str]) -> Store:
    """What gives the variable a value that the constructor is given and puts away, if it is but one
    in all calls, which no one else reads, and one statement gives it; else the same.
    """
    made, value = body_around(store.file, store.line), stored(store)
    if not store.constructs or not isinstance(made, ast.FunctionDef):
        return store
    files, name = list(files), value.id if isinstance(value, ast.Name) else ""
    every = [
        (file, argument)
        for file, call in calls_of(store.owner, files)
        for parameter, argument in given(call, made).items()
        if parameter == name
    ]
    variables = {
        variable(file, function_at(file, argument.lineno), argument.id)
        if isinstance(argument, ast.Name)
        else None
        for file, argument in every
    }
    place = variables.pop() if len(variables) == 1 else None
    found = [each for each in stores([place], files) if not each.fresh] if place else []
    one = len(found) == 1 and _reads(found[0], found[0].target) == len(every)
    return found[0] if one else store


def _reads(store: Store, name: str) -> int:
    """How often the function of the statement reads the variable."""
    body = body_around(store.file, store.line)
    spoken = (node for node in ast.walk(body) if isinstance(node, ast.Name)) if body else ()
    return sum(node.id == name and isinstance(node.ctx, ast.Load) for node in spoken)


def _property_of(function: ast.FunctionDef) -> str | None:
    """Of which property it is the setter."""
    for decorator in function.decorator_list:
        match decorator:
            case ast.Attribute(value=ast.Name(id=name), attr="setter"):
                return name
    return None


@dataclasses.dataclass(frozen=True, slots=True)
class Returned:
    """A statement that returns a record, and what it gives one of its attributes."""

    file: str
    statement: ast.Return
    value: ast.expr


def returned(statement: ast.stmt, attribute: str, files: Iterable[str]) -> Returned | None:
    """Where a function that the statement calls puts together what it returns, if in one place."""
    call = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(call, ast.Call):
        return None
    found = [
        Returned(file, node, keyword.value)
        for file, function in callees(call, files)
        for node in ast.walk(function)
        if isinstance(node, ast.Return)
        for part in (node.value.elts if isinstance(node.value, ast.Tuple) else [node.value])
        if isinstance(part, ast.Call)
        for keyword in part.keywords
        if keyword.arg == attribute
    ]
    return found[0] if len(found) == 1 else None


def _carries(store: Store, thing: Kept) -> bool:
    """Whether a part of what it puts together is the tensor: not None, not a number."""
    code = without_graph(thing, store)
    return code is not None and code != ast.unparse(store.node)
