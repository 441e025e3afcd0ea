"""A leaf, or a view of it, that was to be changed in place where autograd records."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Final

import torch

from gradwatch_agent.advice.rewriting import method
from gradwatch_agent.diagnosis.graphless.modules import is_module
from gradwatch_agent.diagnosis.refused.raising import Raised, Told, has_graph
from gradwatch_agent.naming.attributes import attribute_of
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.syntax.reading import base, called, is_library, seen_in
from gradwatch_agent.source.syntax.statements import body_around

_WITHOUT: Final = ("data", "grad", "detach", "item")
"""What is read by these has no graph."""


def of_leaf(raised: Raised) -> Told | None:
    """`weight.clamp_(0, 1)`, `weight -= lr * weight.grad`, or by a module with `inplace=True`."""
    target = _target(raised)
    if target is None:
        return _of_given(raised)
    name = ast.unparse(target)
    word = f"`{name}` is a leaf that requires grad; while autograd records, none may be changed"
    graph = any(_brings_a_graph(part, raised) for part in _written(raised.statement))
    word += " in place, and what is written into it has a graph." if graph else " in place."
    advice = "Change it where autograd does not record: put this under `with torch.no_grad():`."
    is_parameter = isinstance(raised.tensor(target), torch.nn.Parameter)
    if graph and not is_parameter:  # a module's is never given something else
        advice = f"Write into a copy, which lets the gradient through: `{name} = {name}.clone()`."
    return raised.told(word, advice, name)


def of_out(raised: Raised) -> Told | None:
    """`torch.add(weight, 1.0, out=weight)`, `torch.tanh(hidden, out=given)`."""
    for call in raised.calls():
        into = next((word.value for word in call.keywords if word.arg == "out"), None)
        if into is None:
            continue
        name, tensor = ast.unparse(into), raised.tensor(into)
        word = (
            f"What is written into `{name}` by `out=` has no graph, though it is made of what has."
        )
        if tensor is not None and tensor.is_leaf and tensor.requires_grad:
            return raised.told(word, "Put this under `with torch.no_grad():`.", name)
        others = [each for each in call.keywords if each.arg != "out"]
        code = f"{name} = {ast.unparse(ast.Call(call.func, call.args, others))}"
        return raised.told(word, f"Let it make a new tensor: `{code}`.", name)
    return None


def of_view(raised: Raised) -> Told | None:
    """`first, second = both.unbind(); first += 1`, or one that was made under no_grad."""
    target = _target(raised)
    if target is None:
        return _by_module(raised)
    name = ast.unparse(target)
    if "created in no_grad mode" in raised.text:
        word = f"`{name}` is a view that was made under no_grad, and changed outside of it."
        return raised.told(word, "Put this under `with torch.no_grad():`, too.", name)
    word = (
        f"`{name}` is one of several views that one operation gave; autograd lets none be changed."
    )
    if _is_drawn(target, raised):
        return raised.told(
            f"{word} It is a loop's variable: a new tensor in its place would change nothing else.",
            "Change the whole ahead of the loop, by operations that make a new one; or put the "
            "parts together again: `torch.stack([...])`.",
            name,
        )
    code = _out_of_place(raised.statement, target)
    if code is not None:
        return raised.told(word, f"Make a new tensor: `{code}`.", name)
    return raised.told(
        word, f"Make it a tensor of its own before: `{name} = {name}.clone()`.", name
    )


def _is_drawn(target: ast.expr, raised: Raised) -> bool:
    """Whether it is what a loop goes through, one after another."""
    body, line = body_around(raised.scene.file, raised.statement.lineno), raised.statement.lineno
    name = ast.unparse(target)
    loops = loops_at(body, line) if body is not None else []
    drawn = [loop.target for loop in loops if not isinstance(loop, ast.While)]
    return any(name in map(ast.unparse, ast.walk(each)) for each in drawn)


def _by_module(raised: Raised) -> Told | None:
    """By `nn.ReLU(inplace=True)` behind a module that has a backward hook."""
    for owner in reversed(raised.owners()):
        if is_module(owner) and attribute_of(owner, "inplace") is True:
            kind = type(owner).__name__
            return raised.told(
                f"A `{kind}` with `inplace=True` changes what a backward hook, or a custom "
                "Function, is to see.",
                f"Make that one without: `nn.{kind}()`.",
            )
    return None


def _target(raised: Raised) -> ast.expr | None:
    """What was to be changed, by the user's own statement."""
    if raised.within:
        return None
    match raised.statement:
        case ast.AugAssign(target=target):
            return _whole(target)
        case ast.Assign(targets=[ast.Subscript() as target]):
            return _whole(target)
    for call in raised.calls():
        if called(call).endswith("_") and not called(call).endswith("__"):
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            if owner is not None and not is_library(owner):
                return _whole(owner)
            return _whole(call.args[0]) if call.args else None  # torch.relu_(hidden)
    return None


def _whole(target: ast.expr) -> ast.expr:
    return seen_in(base(target))


def _of_given(raised: Raised) -> Told | None:
    """The call does it, by what it was given."""
    for call in raised.calls():
        for given in (*call.args, *(word.value for word in call.keywords)):
            tensor = raised.tensor(given)
            if tensor is not None and tensor.is_leaf and tensor.requires_grad:
                name, does = ast.unparse(given), ast.unparse(call.func)
                code = raised.rewritten(given, method(given, "clone"))
                return raised.told(
                    f"`{does}` changes `{name}` in place, a leaf that requires grad.",
                    f"Give it a copy: `{code}`.",
                    name,
                )
    return None


def _written(statement: ast.stmt) -> Iterator[ast.expr]:
    match statement:
        case ast.AugAssign(value=value) | ast.Assign(value=value):
            yield value
        case ast.Expr(value=ast.Call(args=args)):
            yield from args


def _brings_a_graph(expression: ast.AST, raised: Raised) -> bool:
    """Whether what is written comes of an operation that autograd has recorded."""
    match expression:
        case ast.Attribute(attr=name) if name in _WITHOUT:
            return False
        case ast.Call(func=ast.Attribute(attr=name)) if name in _WITHOUT:
            return False
        case ast.Call(func=func) if is_module(raised.meant(func)):
            return True
        case ast.Name() | ast.Attribute() | ast.Subscript() if has_graph(raised.meant(expression)):
            return True
    return any(_brings_a_graph(child, raised) for child in ast.iter_child_nodes(expression))


def _out_of_place(statement: ast.stmt, target: ast.expr) -> str | None:
    """`x = x + 1` for `x += 1`, `x = x.clamp(0)` for `x.clamp_(0)`."""
    match statement:
        case ast.AugAssign(target=written, op=op, value=value) if _is(written, target):
            new: ast.expr = ast.BinOp(target, op, value)
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=written, attr=name)) as call) if _is(
            written, target
        ) and name not in ("copy_", "fill_", "zero_"):
            func = ast.Attribute(target, name.removesuffix("_"), ast.Load())
            new = ast.Call(func, call.args, call.keywords)
        case _:
            return None
    return f"{ast.unparse(target)} = {ast.unparse(new)}"


def _is(written: ast.expr, target: ast.expr) -> bool:
    return ast.unparse(written) == ast.unparse(target)
