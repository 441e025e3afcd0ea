"""What the two sides of an assignment may be: the expressions, not their names. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

_RANDOM: Final = ("random", "rng")


def _is_drawn(part: ast.Subscript, whole: ast.ListComp) -> bool:
    """Whether it is of what the comprehension goes through: not so `[pool[i] for i in picked]`."""
    drawn = {n.id for g in whole.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
    inner: ast.expr = part
    while isinstance(inner, ast.Subscript | ast.Attribute):
        inner = inner.value
    return not isinstance(inner, ast.Name) or inner.id in drawn


def pairs(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What an assignment gives what, one by one where several are at once."""
    if not isinstance(node, ast.Assign):
        return
    for target in node.targets:
        match target, node.value:
            case ast.Tuple(elts=into), ast.Tuple(elts=values) if len(into) == len(values):
                yield from zip(into, values, strict=True)
            case _:
                yield target, node.value


def sources(value: ast.expr) -> Iterator[ast.expr]:
    """The expressions of which the value may be the very thing, or some of what lies there."""
    match value:
        case ast.Call(
            func=ast.Attribute(value=whose, attr="sample" | "choice" | "choices"), args=[pool, *_]
        ) if ast.unparse(whose).endswith(_RANDOM):
            yield pool
        case ast.ListComp(elt=ast.Subscript() as part) if not _is_drawn(part, value):
            yield part
        case ast.BoolOp(values=parts):
            yield from parts
        case ast.IfExp(body=body, orelse=other):
            yield body
            yield other
        case ast.Call(func=ast.Name(id="enumerate" | "zip" | "reversed" | "iter"), args=parts):
            yield from parts
        case _:
            yield value


def drawn_by(target: ast.Tuple | ast.List, values: ast.expr) -> list[ast.expr] | None:
    """What each of them goes through where a loop goes through a zip, or counts; None of others."""
    match values:
        case ast.Call(func=ast.Name(id="enumerate"), args=[value, *_]) if len(target.elts) == 2:
            return [ast.Constant(0), value]
        case ast.Call(func=ast.Name(id="zip"), args=parts) if len(parts) == len(target.elts):
            return parts
    return None


def drawing(target: ast.expr, values: ast.expr, value: ast.AST) -> ast.expr:
    """What of a loop's target goes through that value: its part of a zip, a dict's values."""
    if not isinstance(target, ast.Tuple | ast.List):
        return target
    for part, drawn in zip(target.elts, drawn_by(target, values) or (), strict=False):
        if lies_in(value, drawn):
            return drawing(part, drawn, value)
    match target.elts, values:
        case [_, each], ast.Call(func=ast.Attribute(attr="items"), args=[]):
            return each
    return target


def lies_in(part: ast.AST, whole: ast.AST) -> bool:
    """Whether it is that, or a part of it."""
    return any(node is part for node in ast.walk(whole))


def through_dict(target: ast.expr) -> ast.expr:
    """`self.x` for `self.__dict__["x"]`, `vars(self)["x"]`, `self.__dict__.setdefault("x", y)` and
    `getattr(self, "x")`; `x` for `globals()["x"]`.
    """
    owner = dict_of(target)
    match target:
        case ast.Call(func=ast.Name(id="getattr"), args=[whose, ast.Constant(value=str(name)), *_]):
            return ast.Attribute(value=whose, attr=name, ctx=ast.Load())
        case ast.Subscript(
            value=ast.Call(func=ast.Name(id="globals")), slice=ast.Constant(value=str(name))
        ):
            return ast.Name(id=name, ctx=ast.Store())
        case (
            ast.Subscript(slice=ast.Constant(value=str(name)))
            | ast.Call(args=[ast.Constant(value=str(name)), *_])
        ) if owner is not None:
            return ast.Attribute(value=owner, attr=name, ctx=ast.Store())
    return target


def dict_of(target: ast.expr) -> ast.expr | None:
    """The object whose attribute is stored into by way of its dict."""
    match target:
        case (
            ast.Subscript(value=attributes)
            | ast.Call(func=ast.Attribute(value=attributes, attr="setdefault" | "get"))
        ):
            return _owner_of(attributes)
    return None


def is_of_a_made_up_name(node: ast.expr) -> bool:
    """Whether it reads an attribute whose name is known at run time alone."""
    match node:
        case ast.Call(func=ast.Name(id="getattr"), args=[_, name, *_]):
            return not isinstance(name, ast.Constant)
        case ast.Subscript(slice=name) | ast.Call(args=[name, *_]) if dict_of(node) is not None:
            return not isinstance(name, ast.Constant)
    return False


def updated(call: ast.Call) -> Iterator[tuple[ast.Attribute, ast.expr]]:
    """The attributes that `self.__dict__.update(x=1)` sets, and `vars(self).update({"x": 1})`."""
    match call:
        case ast.Call(func=ast.Attribute(value=attributes, attr="update"), args=[*pairs]):
            owner = _owner_of(attributes)
        case _:
            owner = None
    if owner is None:
        return
    given = [(keyword.arg, keyword.value) for keyword in call.keywords]
    for each in pairs:
        if isinstance(each, ast.Dict):
            keys = [getattr(key, "value", None) for key in each.keys]
            given += zip(keys, each.values, strict=True)
    for name, value in given:
        if isinstance(name, str):
            yield ast.Attribute(value=owner, attr=name, ctx=ast.Store()), value


def _owner_of(attributes: ast.expr) -> ast.expr | None:
    match attributes:
        case ast.Attribute(value=owner, attr="__dict__"):
            return owner
        case ast.Call(func=ast.Name(id="vars"), args=[owner]):
            return owner
    return None


def key_of(target: ast.expr) -> str | None:
    """The constant key of the container's element that is stored into, the outermost."""
    inner: ast.expr | None = None
    while True:
        if isinstance(target, ast.Subscript):
            inner, target = target.slice, target.value
        elif (
            isinstance(target, ast.Call)
            and isinstance(target.func, ast.Attribute)
            and target.func.attr in ("setdefault", "get")
            and target.args
        ):
            inner, target = target.args[0], target.func.value
        else:
            return repr(inner.value) if isinstance(inner, ast.Constant) else None


def fills_a_slice(statement: ast.stmt) -> bool:
    """Whether it is `rows[n:] = [...]`."""
    targets = getattr(statement, "targets", ())
    return any(isinstance(t, ast.Subscript) and isinstance(t.slice, ast.Slice) for t in targets)


def deleted(node: ast.AST) -> list[ast.expr]:
    """What a statement takes out of where it is: `del row[3:]`, and `row[3:] = []`."""
    match node:
        case ast.Delete(targets=targets):
            return targets
        case ast.Assign(
            targets=[ast.Subscript(slice=ast.Slice())] as targets,
            value=ast.List(elts=[]) | ast.Tuple(elts=[]),
        ):
            return targets
    return []
