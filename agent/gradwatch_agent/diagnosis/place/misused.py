"""The one call, of several, by which a function of the program's own that keeps what it is given is
given a graph.

Where a meter or a log keeps plain numbers too, it does what it is for; what is to be changed is
the call: `losses.update(loss.item())`. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import detached, number, replaced
from gradwatch_agent.advice.stored import stored
from gradwatch_agent.advice.trained import is_trained_by
from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.flow.calls import calls_of, nodes_with
from gradwatch_agent.source.flow.giving import fits, given
from gradwatch_agent.source.gradients.graphless import has_none
from gradwatch_agent.source.stored.handing import of_parameters
from gradwatch_agent.source.stored.stores import Store, uses_of_tensor
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.verdicts.case import Answer

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class _Giving:
    """A call, and what it gives for the parameter that is kept."""

    file: str
    call: ast.Call
    value: ast.expr


def where_misused(answer: Answer, thing: Kept, store: Store) -> Answer | None:
    """The same answer, told at that call; None where there is no other that is right, or several
    are wrong.
    """
    function, files = body_around(store.file, store.line), own_files()
    if not isinstance(function, _Function) or function.name[:2] == "__":
        return None
    if is_trained_by(thing, store):
        return None
    giving = _wrong(list(_given(thing, store, function, files)), thing, files)
    statement = statement_at(giving.file, giving.call.lineno) if giving is not None else None
    if giving is None or statement is None:
        return None
    plain = thing.scalar and not uses_of_tensor(store.file, thing.name)
    new = (number if plain else detached)(giving.value)
    code = replaced(statement, giving.value, new)
    told = replace(answer, suggestion=f"Hand it over without its graph: `{code}`.")
    return at_line(told, giving.file, statement.lineno, code_of(giving.file, statement))


def _wrong(every: list[_Giving], thing: Kept, files: Collection[str]) -> _Giving | None:
    """The one that is not known to have no graph; among those of the tensor's key alone, where
    numbers lie beside it.
    """
    wrong = [each for each in every if not has_none(each.file, each.value, files)]
    if len(wrong) == 1 and len(every) > 1:
        return wrong[0]
    own = [each for each in wrong if _speaks_of(each.call, thing)] if thing.mixed else []
    return own[0] if len(own) == 1 else None


def _given(
    thing: Kept, store: Store, function: _Function, files: Collection[str]
) -> Iterator[_Giving]:
    """What each call gives for what is stored."""
    value = stored(store)
    if value is None:
        return
    names = of_parameters(store.file, store.line, value)
    name = next(iter(names)) if len(names) == 1 else ""
    options = function.args.kwarg.arg if function.args.kwarg is not None else ""
    for file, call in calls_of(function.name, files):
        one = given(call, function).get(name) if fits(call, function) else None
        if one is not None and not isinstance(one, ast.Constant):  # `bar.update(1)` tells nothing
            yield _Giving(file, call, one)
    if options and _reads(function, options):
        for called_as in (function.name, *_prepared(function.name, files)):
            for file, call in calls_of(called_as, files):
                by_key = (each for each in call.keywords if each.arg in _keys(thing))
                yield from (_Giving(file, call, each.value) for each in by_key)


def _prepared(function: str, files: Collection[str]) -> Iterator[str]:
    """By what else it is called: `log = partial(record, history)`."""
    for _, node in nodes_with(function, files):
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name) | ast.Attribute(attr=name)],
                value=ast.Call(args=[ast.Name(id=of) | ast.Attribute(attr=of), *_]) as call,
            ) if called(call) == "partial" and of == function:
                yield name


def _keys(thing: Kept) -> set[str]:
    return {label.strip("[]'\"") for label in (*thing.own_keys, *thing.labels)}


def _reads(function: _Function, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function))


def _speaks_of(call: ast.Call, thing: Kept) -> bool:
    """Whether it says the key under which the tensor is kept."""
    spoken = {each.value for each in call.args if isinstance(each, ast.Constant)}
    spoken |= {each.arg for each in call.keywords}
    return not spoken.isdisjoint(_keys(thing))
