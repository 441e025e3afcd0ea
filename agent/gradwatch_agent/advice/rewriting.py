"""Expressions and statements, rewritten without their graph. Pure: from syntax to syntax."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable
from typing import Any

from gradwatch_agent.source.reading import base, called
from gradwatch_agent.source.stores import Store

Change = Callable[[ast.expr], ast.expr]


def method(value: ast.expr, name: str) -> ast.expr:
    """The value with a method called on it."""
    if isinstance(value, ast.Constant) or _is_done(value, name):
        return value
    if (
        name == "detach"
        and isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr == "clone"
    ):
        value = value.func.value
        inner = ast.Call(_attribute(value, "detach"), [], [])
        return ast.Call(_attribute(inner, "clone"), [], [])
    return ast.Call(_attribute(value, name), [], [])


def _is_done(value: ast.expr, name: str) -> bool:
    if not isinstance(value, ast.Call):
        return False
    return ast.unparse(value.func).endswith((f".{name}", f".{name}().clone"))


def _attribute(value: ast.expr, name: str) -> ast.Attribute:
    return ast.Attribute(value=value, attr=name, ctx=ast.Load())


def detached(value: ast.expr) -> ast.expr:
    """`value.detach()`."""
    return method(value, "detach")


def number(value: ast.expr) -> ast.expr:
    """`value.item()`."""
    return method(value, "item")


def detached_if_tensor(value: ast.expr) -> ast.expr:
    """The same of what may be none."""
    name = ast.unparse(value)
    return _parsed(f"{ast.unparse(detached(value))} if hasattr({name}, 'detach') else {name}")


def plain_number(value: ast.expr) -> ast.expr:
    """`float(value)`, of what may be a number already."""
    return ast.Call(ast.Name("float", ast.Load()), [value], [])


def part(value: ast.expr, labels: tuple[str, ...], change: Change) -> ast.expr | None:
    """The value with the part of it changed that the labels lead to; None if it is not to be
    told which one that is.
    """
    if not labels:
        return change(value)
    label, rest = labels[0], labels[1:]
    match value:
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if any(
            isinstance(each, ast.Starred) for each in parts
        ):
            return _of_starred(value, rest, change)
        case ast.ListComp(elt=each) | ast.GeneratorExp(elt=each) | ast.SetComp(elt=each):
            new = part(each, rest, change)
            return type(value)(elt=new, generators=value.generators) if new else None
        case ast.DictComp(key=key, value=each):
            new = part(each, rest, change)
            return ast.DictComp(key, new, value.generators) if new else None
        case ast.BinOp(left=left, op=op, right=ast.List() | ast.Tuple() as right):
            new = part(ast.List([ast.Starred(left), *right.elts], ast.Load()), labels, change)
            elements = new.elts[1:] if isinstance(new, ast.List) else []
            return ast.BinOp(left, op, type(right)(elements, ast.Load())) if elements else None
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if (at := _number(label)) is not None:
            if at >= len(parts):
                return None
            new = part(parts[at], rest, change)
            elements = [*parts[:at], new, *parts[at + 1 :]] if new is not None else []
            return type(value)(elts=elements, ctx=ast.Load()) if new is not None else None
        case ast.Dict(keys=keys, values=values):
            return _of_dict(keys, values, label, rest, change)
        case ast.Call():
            return _of_call(value, label, rest, change)
        case ast.Name() | ast.Attribute() if not rest:
            return _of_name(value, label, change)
    return None


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
    if isinstance(value, ast.Dict | ast.Tuple | ast.List | ast.Call):
        for label in others:
            new = part(new, (*labels[:-1], label), change) or new
    return new


def _of_whole(value: ast.expr, labels: tuple[str, ...], change: Change) -> ast.expr:
    """A record made elsewhere, with all parts that carry a graph changed; itself if it is none."""
    name = ast.unparse(value)
    if not isinstance(value, ast.Name | ast.Attribute):
        return value
    if all(label[:2] in ("['", '["') for label in labels):
        each = ast.unparse(change(_parsed("t")))
        return _parsed(f"{{k: {each} if hasattr(t, 'detach') else t for k, t in {name}.items()}}")
    if all(_field(label) for label in labels):
        fields = map(_field, labels)
        new = (f"{field}={ast.unparse(change(_parsed(f'{name}.{field}')))}" for field in fields)
        return _parsed(f"{name}._replace({', '.join(new)})")
    return value


def _of_starred(
    value: ast.Tuple | ast.List, rest: tuple[str, ...], change: Change
) -> ast.expr | None:
    """`(*values, new)`: all that is new."""
    new = [
        each if isinstance(each, ast.Starred) else part(each, rest, change) for each in value.elts
    ]
    elements = [each for each in new if each is not None]
    whole = len(elements) == len(value.elts)
    return type(value)(elts=elements, ctx=ast.Load()) if whole else None


def _of_dict(
    keys: list[ast.expr | None],
    values: list[ast.expr],
    label: str,
    rest: tuple[str, ...],
    change: Change,
) -> ast.expr | None:
    for number_, key in enumerate(keys):
        only = len(keys) == 1 and not isinstance(key, ast.Constant)
        if only or (isinstance(key, ast.Constant) and f"[{key.value!r}]" == label):
            new = part(values[number_], rest, change)
            if new is None:
                return None
            return ast.Dict(keys=keys, values=[*values[:number_], new, *values[number_ + 1 :]])
    return _of_unpacked(keys, values, label, rest, change)


def _of_unpacked(
    keys: list[ast.expr | None],
    values: list[ast.expr],
    label: str,
    rest: tuple[str, ...],
    change: Change,
) -> ast.expr | None:
    """`{"step": step, **logs}`: what the one that is unpacked has under the key, given again."""
    inner = [value for key, value in zip(keys, values, strict=True) if key is None]
    if len(inner) != 1 or not is_bare(inner[0]) or label[:2] not in ("['", '["'):
        return None
    new = part(_parsed(f"{ast.unparse(inner[0])}{label}"), rest, change)
    key = _parsed(label[1:-1])
    return ast.Dict(keys=[*keys, key], values=[*values, new]) if new is not None else None


def _of_call(call: ast.Call, label: str, rest: tuple[str, ...], change: Change) -> ast.expr | None:
    """A record that is made on the spot: by the keyword, or by the argument of that name."""
    name = _field(label) or label.lstrip(".")
    if called(call) == "dict":
        name = label.strip("[]'\"")
    for position, keyword in enumerate(call.keywords):
        if keyword.arg == name:
            new = part(keyword.value, rest, change)
            if new is None:
                return None
            changed = ast.keyword(arg=name, value=new)
            keywords = [*call.keywords[:position], changed, *call.keywords[position + 1 :]]
            return ast.Call(call.func, call.args, keywords)
    same = [n for n, a in enumerate(call.args) if isinstance(a, ast.Name) and a.id == name]
    if (at := _number(label)) is not None and at < len(call.args) and called(call)[:1].isupper():
        same = same or ([at] if not any(isinstance(a, ast.Starred) for a in call.args) else [])
    if len(same) != 1:
        return None
    new = part(call.args[same[0]], rest, change)
    if new is None:
        return None
    arguments = [*call.args[: same[0]], new, *call.args[same[0] + 1 :]]
    return ast.Call(call.func, arguments, call.keywords)


def _of_name(value: ast.expr, label: str, change: Change) -> ast.expr | None:
    """A thing made elsewhere: put together anew, with the one part changed."""
    name = ast.unparse(value)
    at, field = _number(label), _field(label)
    if field:
        new = ast.unparse(change(_parsed(f"{name}.{field}")))
        return _parsed(f"{name}._replace({field}={new})")
    if at is not None:
        new = ast.unparse(change(_parsed(f"{name}[{at}]")))
        before = f"*{name}[:{at}], " if at else ""
        return _parsed(f"({before}{new}, *{name}[{at + 1}:])")
    if label.startswith(("['", '["')):
        new = ast.unparse(change(_parsed(f"{name}{label}")))
        return _parsed(f"{{**{name}, {label[1:-1]}: {new}}}")
    return None


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _number(label: str) -> int | None:
    found = re.fullmatch(r"\[(\d+)(:\w+)?\]", label)
    return int(found[1]) if found else None


def _field(label: str) -> str:
    """The name of a record's field."""
    found = re.fullmatch(r"\[\d+:(\w+)\]", label)
    return found[1] if found else ""


def replaced(statement: ast.stmt, old: ast.expr, new: ast.expr) -> str:
    """The statement with one expression replaced, in one line; of a compound one, its head."""
    copies: dict[int, Any] = {}
    copied = copy.deepcopy(statement, copies)
    place = copies[id(old)]

    class Replacing(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return new if node is place else self.generic_visit(node)

    return ast.unparse(Replacing().visit(copied)).partition("\n")[0]


def name_detached(statement: ast.stmt, name: str) -> str | None:
    """The statement with every reading of a dotted name detached; None if it reads none."""
    copied = copy.deepcopy(statement)
    seen = False

    class Detaching(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            nonlocal seen
            if isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == name:
                seen = True
                return detached(node)
            return self.generic_visit(node)

    part_read = getattr(copied, "value", None) or copied
    if part_read is copied:
        changed = Detaching().visit(copied)
    else:
        copied.value = Detaching().visit(part_read)  # type: ignore[attr-defined]
        changed = copied
    return ast.unparse(changed).partition("\n")[0] if seen else None


def put_call(store: Store) -> ast.Call | None:
    """The call by which the statement stores."""
    for call in ast.walk(store.node):
        if isinstance(call, ast.Call) and called(call) == store.how:
            return call
    return None


def is_bare(value: ast.expr | None) -> bool:
    """Whether it is a plain name, so that what it stands for goes by that name too."""
    return isinstance(value, ast.Name | ast.Attribute) and base(value) is value
