"""For a change in place of a view, by which another name shows it: a copy of all that is seen. Pure
but for reading.
"""

from __future__ import annotations

import ast

from gradwatch_agent.advice.rewriting import all_replaced
from gradwatch_agent.source.flow.bindings import bindings
from gradwatch_agent.source.gradients.changing import InPlace
from gradwatch_agent.source.syntax.reading import dotted, seen_in
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import code_of


def of_all_seen(change: InPlace, tensor: ast.expr) -> str | None:
    """Of `flat = h.view(-1); flat[3:] = 0`, where `h` is read later: a copy of `h`, of which the
    view is taken anew. None if nothing but the view is read.
    """
    body = body_around(change.file, change.line)
    if body is None or not isinstance(tensor, ast.Name):
        return None
    given, _ = bindings(body, tensor.id, change.line)
    if len(given) != 1 or not isinstance(node := given[0].node, ast.Assign):
        return None
    shown = given[0].whole
    name = dotted(seen_in(shown)) if shown is not None else None
    if shown is None or name in (None, tensor.id, ast.unparse(shown)) or _is_apart(shown):
        return None
    if name is None or not _is_read_behind(body, name, change):
        return None
    view = code_of(change.file, node).partition("  #")[0]
    return f"{name} = {name}.clone(); {view}; {_of_copies(change, tensor.id)}"


def _of_copies(change: InPlace, name: str) -> str:
    """The statement, which may save what it reads of that: a copy of each part."""
    value = getattr(change.node, "value", None) if change.call is None else None
    every = ast.walk(value) if value is not None else ()
    read = [n for n in every if isinstance(n, ast.Subscript) and dotted(n.value) == name]
    if not read:
        return change.plain
    return all_replaced(change.node, [(each, _cloned(each)) for each in read])


def _cloned(part: ast.expr) -> ast.expr:
    return ast.Call(ast.Attribute(part, "clone", ast.Load()), [], [])


def whole_seen(change: InPlace, tensor: ast.expr) -> str | None:
    """The name of what the changed one shows a part of, by one of several statements, if that is
    read later: `if flip: a, b = b, a`.
    """
    body = body_around(change.file, change.line)
    if body is None or not isinstance(tensor, ast.Name):
        return None
    shown = (each.whole for each in bindings(body, tensor.id, change.line)[0])
    for each in shown:
        name = dotted(seen_in(each)) if each is not None else None
        if each is None or name in (None, tensor.id, ast.unparse(each)) or _is_apart(each):
            continue
        return name if name is not None and _is_read_behind(body, name, change) else None
    return None


def _is_apart(shown: ast.expr) -> bool:
    """`h.detach()[:3]`, `h.data`: to be looked at, not what goes on into the loss."""
    names = {getattr(part, "attr", "") for part in ast.walk(shown)}
    return not names.isdisjoint(("detach", "data"))


def _is_read_behind(body: ast.AST, name: str, change: InPlace) -> bool:
    behind = change.node.end_lineno or change.line
    return any(
        dotted(part) == name and isinstance(getattr(part, "ctx", None), ast.Load)
        for part in ast.walk(body)
        if getattr(part, "lineno", 0) > behind
    )


def is_of_a_part(change: InPlace) -> bool:
    """Whether it changes all of an element, or of what a call gives: `parts["left"] *= 2`."""
    match change.target:
        case ast.Subscript(slice=ast.Constant(value=str())) | ast.Call():
            return True
        case ast.Subscript(value=ast.Call(), slice=ast.Constant()):
            return True
    return False


def copy_the_whole(change: InPlace, made: ast.stmt | None) -> str:
    """For a view that is changed; `made`: the statement that made what it shows a part of."""
    part, name = ast.unparse(change.target), given(made)
    if made is None or name is None:
        return (
            f"`{part}` shows a part of what is read later: copy that ahead of it, `x = x.clone()`."
        )
    return (
        f"`{part}` shows a part of `{name}`, which is read later: behind line {made.lineno}, "
        f"`{name} = {name}.clone()`."
    )


def given(made: ast.stmt | None) -> str | None:
    """The one name that the statement gives a value."""
    match made:
        case ast.Assign(targets=[ast.Name() | ast.Attribute() as target]):
            return ast.unparse(target)
    return None
