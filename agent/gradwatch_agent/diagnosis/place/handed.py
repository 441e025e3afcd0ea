"""Where a record is put together, when a function of its own merely puts it away, or hands it back.

`def push(self, t): self.ring.append(t)` is no fault; `memory.push(Step(x, log_prob))` is, and only
there can `log_prob.detach()` be written. Nor is `def push(self, *parts): self.ring.append(parts)`,
but `memory.push(x, log_prob)`. So is, of `state = step(state)`, the `return replace(state,
mean=mean)` within.
"""

from __future__ import annotations

import ast
import dataclasses
from collections.abc import Iterable, Iterator
from typing import Final, TypeAlias

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.stored import inner_labels, stored
from gradwatch_agent.advice.storing import without_graph
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.flow.giving import callees, given
from gradwatch_agent.source.flow.loops import is_behind_backward
from gradwatch_agent.source.stored.stores import Store, attribute, stores, variable
from gradwatch_agent.source.syntax.statements import (
    body_around,
    function_at,
    statements_of,
)

_Function: TypeAlias = ast.FunctionDef | ast.AsyncFunctionDef

_MADE = (ast.Call, ast.Tuple, ast.Dict)

_HOPS: Final = 2
"""Functions that hand on what they are given, as it comes."""


def put_together(store: Store, thing: Kept, files: Iterable[str]) -> Store:
    """Where what is stored was put together, if only one call may have; else the same store."""
    if not inner_labels(thing, store):
        return store  # the tensor itself is stored
    if (given_first := _given_first(store, thing)) is not None:
        return given_first
    function = body_around(store.file, store.line)
    if isinstance(function, ast.Module | None):
        return store
    putting: Iterator[Store] = iter(())
    if _merely_puts_away(store, function):
        putting = _calls_of(function, store, files)
    elif _puts_all_away(store, function):
        putting = _calls_with_all(function, store, files)
    elif _puts_all_named_away(store, function):
        putting = _calls_with_names(function, store, files)
    calls = [call for call in putting if _carries(call, thing)]
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
    if not isinstance(function, ast.FunctionDef) or not _merely_puts_away(store, function):
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


def _merely_puts_away(store: Store, function: _Function) -> bool:
    """Whether the function stores one of its parameters, and does nothing else with it but ask
    under which key.
    """
    taken = [each.arg for each in (*function.args.args, *function.args.kwonlyargs)]
    value = stored(store)
    if not isinstance(value, ast.Name) or value.id not in taken:
        return False
    targets = getattr(store.node, "targets", [])
    asked = {id(n) for target in targets for n in ast.walk(target)}
    read = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == value.id]
    return len([n for n in read if id(n) not in asked]) == 1


def _puts_all_away(store: Store, function: _Function) -> bool:
    """Whether what the function stores is all of `*parts`, as it comes, or as one record."""
    rest, value = function.args.vararg, stored(store)
    if isinstance(value, ast.Name) and rest is not None and value.id != rest.arg:
        value = given_once(value.id, function)
    match value:
        case ast.Name(id=name):
            return rest is not None and name == rest.arg
        case ast.Call(args=[ast.Starred(value=ast.Name(id=name))], keywords=[]):
            return rest is not None and name == rest.arg
    return False


def _puts_all_named_away(store: Store, function: _Function) -> bool:
    """The same of `**fields`, as they come, or as one record: `self.rows.append(Row(**fields))`."""
    names, value = function.args.kwarg, stored(store)
    match value:
        case (
            ast.Name(id=name)
            | ast.Call(args=[], keywords=[ast.keyword(arg=None, value=ast.Name(id=name))])
        ):
            return names is not None and name == names.arg
    return False


def given_once(name: str, function: _Function) -> ast.expr | None:
    """What the variable is given, if but once."""
    found = [
        node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        if any(isinstance(target, ast.Name) and target.id == name for target in node.targets)
    ]
    return found[0] if len(found) == 1 else None


def _calls_of(function: _Function, store: Store, files: Iterable[str]) -> Iterator[Store]:
    """The statements that give the function something made on the spot."""
    value = stored(store)
    name = value.id if isinstance(value, ast.Name) else ""
    for file, call in calls_of(function.name, files):
        made = given(call, function).get(name)
        if isinstance(made, _MADE):
            for each in _at_call(file, call, store, function.name):
                yield dataclasses.replace(each, value=made)


def _calls_with_all(
    function: _Function, store: Store, files: Iterable[str], hops: int = _HOPS
) -> Iterator[Store]:
    """The statements that give the function its further arguments, each by itself."""
    first = len(function.args.args) - bool(store.owner)
    calls = list(calls_of(function.name, files))
    for file, call in calls:
        if hops and (outer := _hands_on(file, call)) is not None:
            yield from _calls_with_all(outer, store, files, hops - 1)
        elif any(isinstance(each, ast.Starred) for each in call.args):
            return  # which of its arguments it is, is not to be told
    for file, call in calls:
        if len(call.args) > first and not any(isinstance(a, ast.Starred) for a in call.args):
            for each in _at_call(file, call, store, function.name):
                yield dataclasses.replace(each, rest=first)


def _calls_with_names(
    function: _Function, store: Store, files: Iterable[str], hops: int = _HOPS
) -> Iterator[Store]:
    """The statements that give the function what it puts away by names."""
    for file, call in calls_of(function.name, files):
        if hops and (outer := _hands_on(file, call)) is not None:
            yield from _calls_with_names(outer, store, files, hops - 1)
        elif any(word.arg is not None for word in call.keywords):
            for each in _at_call(file, call, store, function.name):
                yield dataclasses.replace(each, named=True)


def _hands_on(file: str, call: ast.Call) -> _Function | None:
    """The function around the call, if all that it gives is all that it was given itself:
    `self.storage.push(**fields)`.
    """
    function = body_around(file, call.lineno)
    if isinstance(function, ast.Module | None):
        return None
    rest, names = function.args.vararg, function.args.kwarg
    match call:
        case ast.Call(args=[ast.Starred(value=ast.Name(id=name))], keywords=[]):
            return function if rest is not None and rest.arg == name else None
        case ast.Call(args=[], keywords=[ast.keyword(arg=None, value=ast.Name(id=name))]):
            return function if names is not None and names.arg == name else None
    return None


def _at_call(file: str, call: ast.Call, store: Store, name: str) -> Iterator[Store]:
    """The statement that calls, as the one that stores."""
    for node in statements_of(file, call.lineno):
        if call in ast.walk(node):
            yield dataclasses.replace(
                store,
                file=file,
                line=node.lineno,
                end_line=node.end_lineno or node.lineno,
                node=node,
                how=name,
                target=_without_its_key(store),
            )


def _without_its_key(store: Store) -> str:
    """What is stored into; of `ring[at] = t` the ring, for a call puts into it without a key."""
    container, bracket, _ = store.target.rpartition("[")
    return container if bracket and store.how in ("assign", "augment", "bind") else store.target


def _carries(store: Store, thing: Kept) -> bool:
    """Whether a part of what it puts together is the tensor: not None, not a number."""
    code = without_graph(thing, store)
    return code is not None and code != ast.unparse(store.node)
