"""Expressions and statements, rewritten without their graph. Pure: from syntax to syntax."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final

from gradwatch_agent.source.gradients.cut import is_cut
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import base, called, only_looks

Change = Callable[[ast.expr], ast.expr]

_SPELLED: Final = (ast.Name, ast.Attribute, ast.Subscript)
"""What is read by a name or by the way to it."""


def parsed(text: str) -> ast.expr:
    """An expression, from its text."""
    return ast.parse(text, mode="eval").body


def method(value: ast.expr, name: str) -> ast.expr:
    """The value with a method called on it; of one of two values, on whichever it is."""
    if isinstance(value, ast.IfExp):
        return ast.IfExp(value.test, method(value.body, name), method(value.orelse, name))
    if isinstance(value, ast.Constant) or _is_done(value, name):
        return value
    if isinstance(value, ast.Subscript) and (of := _each_of(value.value, name)) is not None:
        return ast.Subscript(of, value.slice, value.ctx)
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


def _each_of(written_out: ast.expr, name: str) -> ast.expr | None:
    """`{"loss": loss, "step": 3}`, of which one is picked, with it called on each that may have a
    graph.
    """

    def one(value: ast.expr) -> ast.expr:
        return value if is_cut(value) else method(value, name)

    match written_out:
        case ast.Dict(keys=[*keys], values=values) if None not in keys:
            return ast.Dict(keys, list(map(one, values)))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            if not any(isinstance(each, ast.Starred) for each in parts):
                return type(written_out)(list(map(one, parts)), ast.Load())
    return None


def _is_done(value: ast.expr, name: str) -> bool:
    if not isinstance(value, ast.Call):
        return False
    if isinstance(value.func, ast.Name) and value.func.id in ("float", "int"):
        return True  # there is no graph
    return ast.unparse(value.func).endswith((f".{name}", f".{name}().clone", ".item"))


def _attribute(value: ast.expr, name: str) -> ast.Attribute:
    return ast.Attribute(value=value, attr=name, ctx=ast.Load())


def detached(value: ast.expr) -> ast.expr:
    """`value.detach()`."""
    return method(value, "detach")


def number(value: ast.expr) -> ast.expr:
    """`value.item()`."""
    return method(value, "item")


def detached_if_tensor(value: ast.expr, names: Collection[str]) -> ast.expr:
    """The same of those names in it which may be none."""

    class Detaching(ast.NodeTransformer):
        def visit_Name(self, node: ast.Name) -> ast.expr:
            text = f"{node.id}.detach() if hasattr({node.id}, 'detach') else {node.id}"
            return parsed(text) if node.id in names else node

    changed: ast.expr = Detaching().visit(copy.deepcopy(value))
    return changed


def plain_number(value: ast.expr) -> ast.expr:
    """`float(value)`, of what may be a number already."""
    return ast.Call(ast.Name("float", ast.Load()), [value], [])


def replaced(statement: ast.stmt, old: ast.AST, new: ast.AST) -> str:
    """The statement with one part of it replaced, in one line; of a compound one, its head."""
    return all_replaced(statement, [(old, new)])


def all_replaced(statement: ast.stmt, changes: Iterable[tuple[ast.AST, ast.AST]]) -> str:
    """The same with each first expression replaced by the second one beside it."""
    copies: dict[int, Any] = {}
    copied = copy.deepcopy(statement, copies)
    places = {id(copies[id(old)]): new for old, new in changes}

    class Replacing(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return places[id(node)] if id(node) in places else self.generic_visit(node)

    return ast.unparse(Replacing().visit(copied)).partition("\n")[0]


def name_detached(statement: ast.stmt, name: str, *, within: bool = False) -> str | None:
    """The statement with every reading of what is spelled so detached; None if it reads none.
    `within`: of an object, of each attribute of it that is read, or that is asked for by a call.
    """
    copied = copy.deepcopy(statement)
    seen = False

    class Detaching(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            nonlocal seen
            if only_looks(node):
                return node
            asked = node.func if within and isinstance(node, ast.Call) else node
            read = getattr(asked, "value", None) if within else node
            stored = isinstance(getattr(node, "ctx", None), ast.Store)
            if isinstance(read, _SPELLED) and ast.unparse(read) == name and not stored:
                seen = True
                return detached(node)  # type: ignore[arg-type]
            return self.generic_visit(node)

    part_read = getattr(copied, "value", None) or copied
    if part_read is copied:
        changed = Detaching().visit(copied)
    else:
        copied.value = Detaching().visit(part_read)  # type: ignore[attr-defined]
        changed = copied
    return ast.unparse(changed).partition("\n")[0] if seen else None


def put_call(store: Store) -> ast.Call | None:
    """The call by which the statement stores: of several by one name, as where a hook that appends
    is itself appended to a list of handles, the one on what is stored into.
    """
    calls = [n for n in ast.walk(store.node) if isinstance(n, ast.Call) and called(n) == store.how]
    on_it = (call for call in calls if _is_on(call, store.target))
    return next(on_it, calls[0] if calls else None)


def _is_on(call: ast.Call, target: str) -> bool:
    return isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == target


def is_bare(value: ast.expr | None) -> bool:
    """Whether it is a plain name, so that what it stands for goes by that name too."""
    return isinstance(value, ast.Name | ast.Attribute) and base(value) is value
