"""What takes something out of a container, by the source: `window.pop(0)`, `del cache[key]`,
`losses = losses[-9:]`, `trials = [t for t in trials if t.age < 9]`. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.flow.drawing import is_element
from gradwatch_agent.source.flow.filling import made_of_its_own
from gradwatch_agent.source.flow.loops import is_ahead
from gradwatch_agent.source.flow.passing import is_given, names_taken
from gradwatch_agent.source.stored.indexing import index
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import Function, body_around, function_at
from gradwatch_agent.source.syntax.targets import deleted
from gradwatch_agent.source.syntax.text import tree
from gradwatch_agent.source.syntax.vocabulary import CONSTRUCTING

_TAKING: Final = frozenset(("pop", "popleft", "popitem", "remove", "discard", "__delitem__"))
"""Methods that take something out of a container."""

TAKING_FROM: Final = frozenset(("heappop", "heapreplace", "heappushpop"))
"""Functions that take something out of what they are given."""

_SIEVING: Final = frozenset(("filter", "islice", "takewhile", "dropwhile", "nlargest", "nsmallest"))
"""Functions that leave something out of what they are given."""


def takes_out(
    files: Iterable[str],
    name: str,
    *,
    attribute: bool,
    owners: Collection[str] | None = None,
    kinds: Collection[str] = (),
) -> bool:
    """Whether some statement takes out what is old: of the container so named, or of one that a
    function was given. `owners`: or of an element of it that a variable stands for, in functions of
    no class but these. `kinds`: the own classes that it is of, which may do so themselves.
    """
    every = list(files)
    return any(
        _is_of(node, _variables(function, name, every, attribute=attribute), name, attribute)
        or (owners is not None and _is_of_element(node, file, name, owners))
        or _is_of_itself(node, file, kinds)
        for file in every
        for node, function in _taking(file)
    )


def _variables(
    function: Function | None, name: str, files: list[str], *, attribute: bool
) -> Collection[str]:
    """What may stand for the container in the function: parameters for which some call gives it."""
    taken = names_taken(function) if function is not None else []
    given = {each for each in taken if function and is_given(function, each, name, files)}
    return given if attribute else {*given, name}


def _is_of(node: ast.AST, variables: Collection[str], name: str, attribute: bool) -> bool:  # noqa: FBT001
    if isinstance(node, ast.keyword):
        return attribute and node.arg == name

    def is_it(part: ast.AST) -> bool:
        while isinstance(part, ast.Subscript):
            part = part.value
        if isinstance(part, ast.Attribute):
            return attribute and part.attr == name
        if isinstance(part, ast.Call):  # what hands it back goes by that name
            return called(part) in {name, *variables}
        return isinstance(part, ast.Name) and part.id in variables

    return any(map(is_it, node.targets if isinstance(node, ast.Assign) else taken_from(node)))


def _is_of_element(node: ast.AST, file: str, name: str, owners: Collection[str]) -> bool:
    """Whether it is one of the container's elements that a variable stands for: `row.pop(0)`; to
    give that variable something else takes nothing out.
    """
    rows = [part for part in taken_from(node) if isinstance(part, ast.Name)]
    return any(
        is_element(file, row.lineno, row.id, name) and _owner_at(file, row.lineno) in ("", *owners)
        for row in rows
    )


def _is_of_itself(node: ast.AST, file: str, kinds: Collection[str]) -> bool:
    """Whether a method of one of the classes takes it out of its own object, which is a container:
    `del self[key]`, `super().__delitem__(key)`.
    """
    own = (part for part in (taken_from(node) if kinds else ()) if _is_own(part))
    return any(_owner_at(file, part.lineno) in kinds for part in own)


def _is_own(part: ast.expr) -> bool:
    match part:
        case ast.Name(id="self") | ast.Call(func=ast.Name(id="super"), args=[]):
            return True
    return False


def _owner_at(file: str, line: int) -> str:
    """The class of the function there, if it is a method."""
    scope = index(file).scopes.get(function_at(file, line))
    return scope.owner if scope is not None else ""


def taken_from(node: ast.AST) -> list[ast.expr]:
    """What something is taken out of: the owner of a method that takes, called now or later; the
    first argument of a function that does; by `del`.
    """
    if isinstance(node, ast.Call) and called(node) in TAKING_FROM:
        return node.args[:1]
    if isinstance(node, ast.Attribute) and node.attr in _TAKING:  # called now or later
        return [node.value]
    return [target.value for target in deleted(node) if isinstance(target, ast.Subscript)]


def _takes(node: ast.AST, file: str) -> bool:
    """Whether it takes something out of whatever it is about."""
    if isinstance(node, ast.Assign) and not deleted(node):
        return leaves_out(node.value) and not _is_first_chosen(node, file)
    return bool(taken_from(node))


def _is_less(field: ast.keyword) -> bool:
    return leaves_out(field.value)


def leaves_out(value: ast.expr) -> bool:
    """Whether some of what it is made of is not in it: `losses[-9:]`, a comprehension with `if`."""
    return any(_is_slice(part) or _is_sieve(part) for part in ast.walk(value))


def _is_first_chosen(node: ast.Assign, file: str) -> bool:
    """Whether it chooses what the container begins with, from something else: `self.fast = {n: p
    for n, p in named if p.requires_grad}` in a constructor, or ahead of the loop that trains.
    """
    body = body_around(file, node.lineno)
    if body is None:
        return False
    return getattr(body, "name", "") in CONSTRUCTING or is_ahead(body, node.lineno)


def _is_slice(part: ast.AST) -> bool:
    """`losses[-9:]`, be it a part of what takes its place: `[*losses[-9:], loss]`; `losses[::2]`,
    but not what is only turned round.
    """
    cut = part.slice if isinstance(part, ast.Subscript) else None
    if not isinstance(cut, ast.Slice):
        return False
    turned = isinstance(cut.step, ast.UnaryOp)
    return any((cut.lower, cut.upper)) or (cut.step is not None and not turned)


def _is_sieve(part: ast.AST) -> bool:
    """`[trial for trial in trials if trial.age < 9]`, `filter(is_young, trials)`."""
    if isinstance(part, ast.Call):
        return called(part) in _SIEVING
    return isinstance(part, ast.comprehension) and bool(part.ifs)


def _is_under_a_word(node: ast.AST) -> bool:
    """Whether it takes out no more than the one thing of a fixed name: `config.pop("name")`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="pop"), args=[ast.Constant(value=str()), *_]):
            return True
        case ast.Delete(targets=[ast.Subscript(slice=ast.Constant(value=str()))]):
            return True
    return False


@lru_cache(maxsize=512)
def _taking(file: str) -> tuple[tuple[ast.AST, Function | None], ...]:
    """What takes something out of a container, with the function around; none of what that takes
    under a fixed word, which it may of whatever it was given.
    """
    found, module = [], tree(file)
    waiting: list[tuple[ast.AST, Function | None]] = [(module, None)] if module else []
    while waiting:
        node, function = waiting.pop()
        if isinstance(node, Function):
            function = node
        if _is_under_a_word(node):
            function = None
        if _takes(node, file):
            found.append((node, function))
        if isinstance(node, ast.Call):
            found += [(field, function) for field in made_of_its_own(node, file) if _is_less(field)]
        waiting.extend((child, function) for child in ast.iter_child_nodes(node))
    return tuple(found)
