"""The statement that puts a state under its key: into a dict that its function was handed, or by a
function that puts away whatever it is given under whatever key. Pure but for reading.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.stored import inner_labels, stored
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.diagnosis.place.putting import at_call, at_statement, merely_puts_away
from gradwatch_agent.diagnosis.place.stored import is_on
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.giving import given
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.statements import body_around, function_at
from gradwatch_agent.source.syntax.text import nodes


def put_under_its_key(known: Known) -> Store | None:
    """`cache["h"] = h`, in the function that made what lies there and uses it: who called that is
    not to be told from the source. None where there is no such statement, or are several.
    """
    if not known.used or not known.made or known.path.label[:1] != "[":
        return None
    file, function = known.used[0].file, function_at(known.used[0].file, known.used[0].line)
    if (known.made[0].file, function_at(known.made[0].file, known.made[0].line)) != (
        file,
        function,
    ):
        return None
    found = {
        store.line: store
        for every in index(file).puts.values()
        for store in every
        if store.scope == function and f"[{store.key}]" == known.path.label
    }
    return found.popitem()[1] if len(found) == 1 else None


def given_with_its_key(
    store: Store, thing: Kept, made: tuple[Site, ...], files: Iterable[str]
) -> Store:
    """The one statement of several that gives a function the tensor with this key, or the one of
    those that has made it: the function's own serves what is trained by as well.
    `state.put("mean", mean)`, or `state["mean"] = mean` by its class's `__setitem__`; the same
    where that is not to be told.
    """
    function, value = body_around(store.file, store.line), stored(store)
    key = _key_asked_for(store)
    if inner_labels(thing, store) or not thing.own_keys or not isinstance(value, ast.Name):
        return store
    if not isinstance(function, ast.FunctionDef) or not merely_puts_away(store, function):
        return store
    every = list(_given_to(function, key, value.id, store, list(files)))
    own = [each for label, each in every if f"[{label!r}]" == thing.own_keys[-1]]
    if len(own) > 1:
        own = [each for each in own if is_on(each, made)]
    return own[0] if len(own) == 1 < len(every) else store


def _key_asked_for(store: Store) -> str:
    """The variable under which it stores."""
    targets = getattr(store.node, "targets", [])
    keys = (n.slice for target in targets for n in ast.walk(target) if isinstance(n, ast.Subscript))
    return next((key.id for key in keys if isinstance(key, ast.Name)), "")


def _given_to(
    function: ast.FunctionDef, key: str, name: str, store: Store, files: list[str]
) -> Iterator[tuple[object, Store]]:
    """The statements that give the function what it stores, each with the constant key."""
    if function.name == "__setitem__":
        yield from _put_as_items(store, files)
        return
    for file, call in calls_of(function.name, files):
        match (handed := given(call, function)).get(key):
            case ast.Constant(value=label) if name in handed:
                for each in at_call(file, call, store, function.name):
                    yield label, dataclasses.replace(each, value=handed[name])


def _put_as_items(store: Store, files: list[str]) -> Iterator[tuple[object, Store]]:
    """The same, of statements that put something under a key of anything."""
    for file in files:
        for node in nodes(file):
            match node:
                case ast.Assign(
                    targets=[ast.Subscript(slice=ast.Constant(value=label)) as target], value=value
                ):
                    put = at_statement(file, node, store)
                    target_of = ast.unparse(target.value)
                    yield label, dataclasses.replace(put, target=target_of, value=value)
