"""What a value has of the thing that is kept, changed, and what lies beside that. Pure but for
reading.
"""

from __future__ import annotations

import ast

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.parts import field_in, if_it_can, part, place_in
from gradwatch_agent.advice.rewriting import Change, is_bare, parsed
from gradwatch_agent.source.stored.fields import place_in as place_among
from gradwatch_agent.source.syntax.reading import called

_WRITTEN_OUT = (
    ast.Dict,
    ast.Tuple,
    ast.List,
    ast.Call,
    ast.ListComp,
    ast.GeneratorExp,
    ast.DictComp,
)
"""What says itself what lies in it."""


def of_kept(
    kept: Kept, value: ast.expr, labels: tuple[str, ...], change: Change
) -> ast.expr | None:
    """What the value has of what is kept, changed; of a list that is made elsewhere all, for its
    elements are many of a kind.
    """
    if kept.kinds[-1:] in (("list",), ("tuple",)) and labels and place_in(labels[-1]) is not None:
        each = if_it_can(change) if kept.mixed else ast.unparse(change(parsed("t")))
        whole = part(value, labels[:-1], lambda one: _each_of(one, each, kept.kinds[-1]))
        if whole is not None and ast.unparse(whole) != ast.unparse(value):
            return whole
    if not isinstance(value, ast.Call) or not labels:
        return parts(value, labels, kept.beside, change)
    beside = tuple(_placed(each, value, kept) if len(labels) == 1 else each for each in kept.beside)
    return parts(value, (_placed(labels[0], value, kept), *labels[1:]), beside, change)


def _placed(label: str, made: ast.Call, kept: Kept) -> str:
    """An attribute by its place among the record's fields, where that is by how it is made."""
    place = place_among(called(made), label[1:], kept.files) if label[:1] == "." else -1
    return f"[{place}:{label[1:]}]" if place >= 0 else label


def _each_of(value: ast.expr, each: str, kind: str) -> ast.expr:
    """Of a copy, each of what it is a copy of; of a tuple, whose places are no many of a kind, only
    where it is one.
    """
    match value:
        case ast.Call(func=ast.Name(id="tuple" | "list"), args=[of], keywords=[]) if is_bare(of):
            made = f"{each} for t in {ast.unparse(of)}"
            return parsed(f"tuple({made})" if kind == "tuple" else f"[{made}]")
        case ast.Name() | ast.Attribute() | ast.Subscript() | ast.Call() if kind == "list":
            return parsed(f"[{each} for t in {ast.unparse(value)}]")
    return value


def parts(
    value: ast.expr, labels: tuple[str, ...], beside: tuple[str, ...], change: Change
) -> ast.expr | None:
    """As `part`, and what lies beside the last step as well, as far as that can be written."""
    new = part(value, labels, change)
    others = [label for label in beside if labels and label != labels[-1]]
    if new is None or not others or labels[-1] not in beside:
        return new
    whole = part(value, labels[:-1], lambda one: _of_whole(one, (labels[-1], *others), change))
    if whole is not None and ast.unparse(whole) != ast.unparse(value):
        return whole
    if isinstance(value, _WRITTEN_OUT):
        for label in others:
            new = part(new, (*labels[:-1], label), change) or new
    return new


def _of_whole(value: ast.expr, labels: tuple[str, ...], change: Change) -> ast.expr:
    """A record made elsewhere, with all parts that carry a graph changed; itself if it is none."""
    name = ast.unparse(value)
    if not isinstance(value, ast.Name | ast.Attribute):
        return value
    if all(label[:2] in ("['", '["') for label in labels):
        return parsed(f"{{k: {if_it_can(change)} for k, t in {name}.items()}}")
    if all(field_in(label) for label in labels):
        fields = map(field_in, labels)
        new = (f"{field}={ast.unparse(change(parsed(f'{name}.{field}')))}" for field in fields)
        return parsed(f"{name}._replace({', '.join(new)})")
    if places := sorted(at for label in labels if (at := place_in(label)) is not None):
        return _of_places(name, places, change)
    return value


def _of_places(name: str, places: list[int], change: Change) -> ast.expr:
    """A tuple of the same, those in these places changed."""
    each = [f"{name}[{at}]" for at in range(places[-1] + 1)]
    for at in places:
        each[at] = ast.unparse(change(parsed(each[at])))
    return parsed(f"({', '.join(each)}, *{name}[{places[-1] + 1}:])")
