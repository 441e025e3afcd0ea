"""A part of a value, changed: the one that labels lead to, in a record that is made on the spot or
elsewhere. Pure: from syntax to syntax.
"""

from __future__ import annotations

import ast
import re

from gradwatch_agent.advice.rewriting import Change, is_bare, parsed
from gradwatch_agent.source.syntax.reading import called


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
        case ast.BinOp(left=ast.List() | ast.Tuple() as left, op=op, right=right):
            return _of_joined(left, op, right, labels, change)
        case ast.Tuple(elts=parts) | ast.List(elts=parts) if (at := place_in(label)) is not None:
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


def if_it_can(change: Change) -> str:
    """Of `t`, where not all may be tensors."""
    each = ast.unparse(change(parsed("t")))
    return each if "hasattr" in each else f"{each} if hasattr(t, 'detach') else t"


def _of_joined(
    left: ast.List | ast.Tuple,
    op: ast.operator,
    right: ast.expr,
    labels: tuple[str, ...],
    change: Change,
) -> ast.expr | None:
    """`(step,) + values`: an element that is written out; or of the others each that can be cut."""
    at = place_in(labels[0])
    if at is not None and at < len(left.elts):
        new = part(left, labels, change)
        return ast.BinOp(new, op, right) if new is not None else None
    if len(labels) > 1 or not is_bare(right):
        return None
    each = f"{if_it_can(change)} for t in {ast.unparse(right)}"
    others = f"tuple({each})" if isinstance(left, ast.Tuple) else f"[{each}]"
    return ast.BinOp(left, op, parsed(others))


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
    spelled = [f"[{key.value!r}]" if isinstance(key, ast.Constant) else "" for key in keys]
    made_up = [at for at, key in enumerate(keys) if key is not None and not spelled[at]]
    at = spelled.index(label) if label in spelled else made_up[0] if len(made_up) == 1 else -1
    if at < 0:
        return _of_unpacked(keys, values, label, rest, change)
    new = part(values[at], rest, change)
    if new is None:
        return None
    return ast.Dict(keys=keys, values=[*values[:at], new, *values[at + 1 :]])


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
    new = part(parsed(f"{ast.unparse(inner[0])}{label}"), rest, change)
    key = parsed(label[1:-1])
    return ast.Dict(keys=[*keys, key], values=[*values, new]) if new is not None else None


def _of_call(call: ast.Call, label: str, rest: tuple[str, ...], change: Change) -> ast.expr | None:
    """A record that is made on the spot: by the keyword, or by the argument of that name; a view
    or a copy of a container that is written out, as that.
    """
    name = field_in(label) or label.lstrip(".")
    if label[0] == "(" and called(call) == "partial":
        return _of_partial(call, label[1:-1], rest, change)
    if called(call) == "dict":
        name = label.strip("[]'\"")
    if any(keyword.arg == name for keyword in call.keywords):
        return _of_keyword(call, name, rest, change)
    match call:
        case ast.Call(args=[ast.Dict() | ast.List() | ast.Tuple() as of], keywords=[]):
            new = part(of, (label, *rest), change)
            return ast.Call(call.func, [new], []) if new is not None else None
    if (copied := _copied(call)) is not None:
        return part(copied, (label, *rest), change)
    match call:
        case ast.Call(args=[ast.Starred(value=ast.Name(id=all_of))], keywords=[]) if not rest:
            each = parsed(f"({if_it_can(change)} for t in {all_of})")
            return ast.Call(call.func, [ast.Starred(each, ast.Load())], [])
    same = [n for n, a in enumerate(call.args) if isinstance(a, ast.Name) and a.id == name]
    if (at := place_in(label)) is not None and at < len(call.args) and called(call)[:1].isupper():
        same = same or ([at] if not any(isinstance(a, ast.Starred) for a in call.args) else [])
    if len(same) != 1:
        return None
    new = part(call.args[same[0]], rest, change)
    if new is None:
        return None
    arguments = [*call.args[: same[0]], new, *call.args[same[0] + 1 :]]
    return ast.Call(call.func, arguments, call.keywords)


def _copied(call: ast.Call) -> ast.expr | None:
    """The dict of which it is a plain copy: of what is changed in it another one is made."""
    match call:
        case ast.Call(func=ast.Name(id="dict"), args=[ast.Name() | ast.Attribute() as of]):
            return of if not call.keywords else None
        case ast.Call(func=ast.Attribute(value=ast.expr() as of, attr="copy"), args=[]):
            return of if is_bare(of) else None
    return None


def _of_partial(
    call: ast.Call, name: str, rest: tuple[str, ...], change: Change
) -> ast.expr | None:
    """What it hands on at that place, behind the function, or by that name."""
    place = int(name) + 1 if name.isdecimal() else -1
    starred = any(isinstance(each, ast.Starred) for each in call.args[: place + 1])
    if 0 < place < len(call.args) and not starred:
        new = part(call.args[place], rest, change)
        arguments = [*call.args[:place], new, *call.args[place + 1 :]] if new is not None else []
        return ast.Call(call.func, arguments, call.keywords) if arguments else None
    return _of_keyword(call, name, rest, change)


def _of_keyword(
    call: ast.Call, name: str, rest: tuple[str, ...], change: Change
) -> ast.expr | None:
    for place, keyword in enumerate(call.keywords):
        if keyword.arg == name:
            new = part(keyword.value, rest, change)
            if new is None:
                return None
            changed = ast.keyword(arg=name, value=new)
            keywords = [*call.keywords[:place], changed, *call.keywords[place + 1 :]]
            return ast.Call(call.func, call.args, keywords)
    return None


def _of_name(value: ast.expr, label: str, change: Change) -> ast.expr | None:
    """A thing made elsewhere: put together anew, with the one part changed."""
    name = ast.unparse(value)
    at, field = place_in(label), field_in(label)
    if field:
        new = ast.unparse(change(parsed(f"{name}.{field}")))
        return parsed(f"{name}._replace({field}={new})")
    if at is not None:
        new = ast.unparse(change(parsed(f"{name}[{at}]")))
        before = f"*{name}[:{at}], " if at else ""
        return parsed(f"({before}{new}, *{name}[{at + 1}:])")
    if label.startswith(("['", '["')):
        new = ast.unparse(change(parsed(f"{name}{label}")))
        return parsed(f"{{**{name}, {label[1:-1]}: {new}}}")
    return None


def place_in(label: str) -> int | None:
    """The number of an element's label."""
    found = re.fullmatch(r"\[(\d+)(:\w+)?\]", label)
    return int(found[1]) if found else None


def field_in(label: str) -> str:
    """The name of a record's field."""
    found = re.fullmatch(r"\[\d+:(\w+)\]", label)
    return found[1] if found else ""
