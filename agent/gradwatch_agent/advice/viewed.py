"""For a change in place of a view, by which another name shows it: a copy of all that is seen. Pure
but for reading.
"""

from __future__ import annotations

import ast

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
    return f"{name} = {name}.clone(); {view}; {change.plain}"


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
