"""The one call, of several, by which a function of the program's own that keeps what it is given is
given a graph.

Where a meter or a log is given plain numbers elsewhere, it does what it is for; what is to be
changed is the call: `losses.update(loss.item())`. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.parts import part
from gradwatch_agent.advice.rewriting import all_replaced, detached, number
from gradwatch_agent.advice.stored import inner_labels, stored
from gradwatch_agent.advice.trained import is_trained_by
from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.diagnosis.place.putting import given_once
from gradwatch_agent.diagnosis.place.stored import place_of
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.naming.lookups import alike
from gradwatch_agent.source.flow.callers import calls_as
from gradwatch_agent.source.flow.giving import given
from gradwatch_agent.source.gradients.graphless import has_none
from gradwatch_agent.source.stored.handing import of_many, of_parameters
from gradwatch_agent.source.stored.stores import Store, known_places
from gradwatch_agent.source.stored.tensors import uses_of_tensor
from gradwatch_agent.source.syntax.reading import base, called, dotted
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.source.syntax.vocabulary import CONSTRUCTING
from gradwatch_agent.verdicts.case import Answer

_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class _Giving:
    """A call, and what it gives for the part that is kept."""

    file: str
    call: ast.Call
    value: ast.expr
    beside: tuple[ast.expr, ...] = ()
    """What it gives for other parts of the same."""
    also: tuple[ast.expr, ...] = ()
    """Those of them that have graphs, too."""


def where_misused(
    answer: Answer, known: Known, thing: Kept, store: Store, *, sums: bool
) -> Answer | None:
    """The same answer, told at that call; None where there is no other that is right, or several
    are wrong. `sums`: a number will do for a scalar.
    """
    function, files = body_around(store.file, store.line), own_files()
    if not isinstance(function, _Function) or function.name in CONSTRUCTING:
        return None
    if is_trained_by(thing, store) or _makes_numbers(function, _parameter(thing, store)[0]):
        return None
    giving = _wrong(list(_given(thing, store, function, files)), thing, known.path, files)
    statement = statement_at(giving.file, giving.call.lineno) if giving is not None else None
    if giving is None or statement is None or not _is_of(giving.call, known.path, store):
        return None
    if giving.value not in ast.walk(statement):  # `update(*pair)`: it is not written there
        return None
    if thing.mixed and of_many(giving.file, giving.call.lineno, giving.value):
        return None  # one of many words, some of which are numbers
    plain = sums and thing.scalar and not uses_of_tensor(store.file, thing.name)
    cut = number if plain else detached
    code = all_replaced(statement, [(each, cut(each)) for each in (giving.value, *giving.also)])
    told = replace(answer, suggestion=f"Hand it over without its graph: `{code}`.", handed=True)
    return at_line(told, giving.file, statement.lineno, code_of(giving.file, statement))


def _makes_numbers(function: _Function, name: str) -> bool:
    """Whether it is made for tensors, too: another statement of it takes the number of what it is
    given, `self.total += float(value)`.
    """
    for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        of = [owner] if called(call) in ("item", "detach") else call.args
        if called(call) in ("item", "detach", "float") and _are(of, name):
            return True
    return False


def _are(values: list[ast.expr | None] | list[ast.expr], name: str) -> bool:
    return [ast.unparse(each) for each in values if each is not None] == [name]


def _is_of(call: ast.Call, path: Path, store: Store) -> bool:
    """Whether it is called on what keeps the tensor, by a name of that: others may have a method of
    that name.
    """
    on = call.func.value if isinstance(call.func, ast.Attribute) else None
    on = call.func if store.function == "__call__" else on
    if on is None or not store.owner:
        return True
    owner = path.parent if path.parent is not None else path
    last = (dotted(base(on)) or "").rpartition(".")[2]
    names = {step.name for step in path.back()}
    names |= {place.name for place in known_places([place_of(owner)], own_files())}
    return last in ("self", "cls") or last in names


def _wrong(every: list[_Giving], thing: Kept, path: Path, files: Collection[str]) -> _Giving | None:
    """The one that is not known to have no graph; among those of the tensor's key alone, where
    numbers lie beside it, and graphs under no other key.
    """
    wrong = [each for each in every if not has_none(each.file, each.value, files)]
    beside = [value for each in wrong for value in each.beside]
    if len(wrong) == 1 and (len(every) > 1 or _some_have_none(wrong[0].file, beside, files)):
        return wrong[0]
    own = [each for each in wrong if _speaks_of(each.call, _keys(thing))] if thing.mixed else []
    elsewhere = set(map(_key, (*thing.keys, *alike(path))))
    others = [e for e in wrong if e not in own and _speaks_of(e.call, elsewhere - _keys(thing))]
    return own[0] if len(own) == 1 and not others else None


def _some_have_none(file: str, values: list[ast.expr], files: Collection[str]) -> bool:
    """Whether one that is computed has none: a constant tells nothing."""
    made = (each for each in values if isinstance(each, ast.Call))
    return any(has_none(file, each, files) for each in made)


def _given(
    thing: Kept, store: Store, function: _Function, files: Collection[str]
) -> Iterator[_Giving]:
    """What each call gives for what is stored."""
    name, key = _parameter(thing, store)
    options = function.args.kwarg.arg if function.args.kwarg is not None else ""
    for file, call in calls_as(store.file, store.line, files):
        one = given(call, function).get(name)
        if key and isinstance(one, ast.Dict):
            yield from _of_dict(file, call, one, key)
        elif one is not None and not key and not isinstance(one, ast.Constant):
            yield _Giving(file, call, one)  # `bar.update(1)` tells nothing
        elif options and _reads(function, options):
            yield from _of_options(file, call, thing, files)


def _parameter(thing: Kept, store: Store) -> tuple[str, str]:
    """Of which one, by its name, the tensor is a part, and under which key of it, if it is not that
    itself.
    """
    value, found = stored(store), list[ast.expr]()

    def note(value: ast.expr) -> ast.expr:
        found.append(value)
        return value

    function = body_around(store.file, store.line)
    if isinstance(value, ast.Name) and isinstance(function, _Function):
        value = given_once(value.id, function) or value
    if value is not None:
        part(value, inner_labels(thing, store), note)
    match found[:1]:
        case [ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key)))]:
            return name, key
        case [one]:
            names = of_parameters(store.file, store.line, one)
            return (next(iter(names)), "") if len(names) == 1 else ("", "")
    return "", ""


def _of_dict(file: str, call: ast.Call, given: ast.Dict, key: str) -> Iterator[_Giving]:
    """What one that is made on the spot has under the key."""
    for at, value in zip(given.keys, given.values, strict=True):
        if isinstance(at, ast.Constant) and at.value == key:
            others = tuple(each for each in given.values if each is not value)
            yield _Giving(file, call, value, others)


def _of_options(
    file: str, call: ast.Call, thing: Kept, files: Collection[str]
) -> Iterator[_Giving]:
    """What one by one of the words has, each of which may be kept under a key of its own."""
    as_much = set(map(_key, thing.keys))
    also = [
        word.value
        for word in call.keywords
        if word.arg in as_much - _keys(thing) and not has_none(file, word.value, files)
    ]
    for word in call.keywords:
        if word.arg in _keys(thing):
            yield _Giving(file, call, word.value, also=tuple(also))


def _keys(thing: Kept) -> set[str]:
    return set(map(_key, (*thing.own_keys, *thing.labels)))


def _key(code: str) -> str:
    """The last one in it, without quotes: loss, of `meters['loss']`."""
    return code.rpartition("[")[2].strip("]'\"")


def _reads(function: _Function, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function))


def _speaks_of(call: ast.Call, keys: set[str]) -> bool:
    """Whether it says one of the keys."""
    spoken = {each.value for each in call.args if isinstance(each, ast.Constant)}
    spoken |= {each.arg for each in call.keywords}
    return not spoken.isdisjoint(keys)
