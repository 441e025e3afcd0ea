"""What cannot take a graph along: an array, a copy, a flag; and what no graph may use."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterator
from typing import Any, Final, TypeGuard

from gradwatch_agent.advice.rewriting import all_replaced, detached, method
from gradwatch_agent.diagnosis.graphless.modules import is_module, labelled_children
from gradwatch_agent.diagnosis.refused.raising import Raised, Told, has_graph, is_tensor
from gradwatch_agent.naming.containers import CONTAINERS, elements
from gradwatch_agent.naming.inside import own_attributes
from gradwatch_agent.source.syntax.reading import called

_ON_THE_WAY: Final = ("cpu", "to", "float", "double", "half", "squeeze", "flatten", "numpy")
"""Methods between a tensor and its array: the graph is better left before they work."""

_NAMED: Final = (ast.Name, ast.Attribute, ast.Subscript)

_MOST: Final = 20_000
"""Objects that are looked at in what is copied."""


def of_array(raised: Raised) -> Told | None:
    """`prediction.numpy()`, `np.mean(losses)`, `plot(weights)`."""
    for call in raised.calls("numpy"):
        if isinstance(call.func, ast.Attribute):
            inner = _beginning(call.func.value)
            return _into_array(inner, raised, raised.rewritten(inner, detached(inner)))
    match raised.statement:
        case ast.Assign(targets=[ast.Subscript() as target], value=value) if raised.node is target:
            return _into_array(
                value, raised, raised.rewritten(value, method(detached(value), "numpy"))
            )
    for call in raised.calls():
        for given in (*call.args, *(word.value for word in call.keywords)):
            value = raised.meant(given.value if _is_slice(given) else given)
            if is_tensor(value) and value.requires_grad:
                return _into_array(given, raised, raised.rewritten(given, detached(given)))
            if issubclass(type(value), list | tuple) and any(map(is_tensor, elements(value))):
                new = ast.parse(f"[each.detach() for each in {ast.unparse(given)}]", mode="eval")
                return _into_array(given, raised, raised.rewritten(given, new.body))
    return None


def _is_slice(given: ast.expr) -> TypeGuard[ast.Subscript]:
    return isinstance(given, ast.Subscript) and isinstance(given.slice, ast.Slice)


def _into_array(given: ast.expr, raised: Raised, code: str) -> Told:
    name = ast.unparse(given)
    word = f"`{name}` requires grad, and an array cannot say where it comes from."
    return raised.told(word, f"Leave the graph behind: `{code}`.", name)


def _beginning(value: ast.expr) -> ast.expr:
    while (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Attribute)
        and value.func.attr in _ON_THE_WAY
    ):
        value = value.func.value
    return value


def of_copy(raised: Raised) -> Told | None:
    """`copy.deepcopy(model)` of what holds the result of an operation."""
    for call in raised.calls("deepcopy"):
        if not call.args:
            continue
        given = call.args[0]
        if has_graph(raised.meant(given)):
            name = ast.unparse(given)
            code = raised.rewritten(call, method(detached(given), "clone"))
            return _in_a_copy(raised, name, f"Copy its values: `{code}`.")
        named = (part for part in ast.walk(given) if isinstance(part, _NAMED))
        written = [part for part in named if has_graph(raised.meant(part))]
        if written:
            code = all_replaced(raised.statement, [(part, detached(part)) for part in written])
            return _in_a_copy(
                raised, ast.unparse(written[0]), f"Copy it without its graph: `{code}`."
            )
        where = next(_with_graph(raised.meant(given), ast.unparse(given)), None)
        if where is not None:
            return _in_a_copy(
                raised, where, f"Let go of its graph before: `{where} = {where}.detach()`."
            )
    return None


def _in_a_copy(raised: Raised, name: str, suggestion: str) -> Told:
    word = f"`{name}` is the result of an operation, with its graph, and a graph is not copied."
    return raised.told(word, suggestion, name)


def _with_graph(value: Any, name: str) -> Iterator[str]:
    """By which names the object has such tensors, the nearest first; a bounded search."""
    waiting, seen = deque([(value, name)]), {id(value)}
    for _ in range(_MOST):
        if not waiting:
            return
        here, label = waiting.popleft()
        if has_graph(here):
            yield label
        for step, inner in _steps(here):
            if id(inner) not in seen:
                seen.add(id(inner))
                waiting.append((inner, f"{label}{step}"))


def _steps(value: Any) -> Iterator[tuple[str, Any]]:
    if issubclass(type(value), dict):
        keyed = list(dict.items(value))[:_MOST]
        yield from ((f"[{k!r}]", item) for k, item in keyed if type(k) in (str, int))
    elif issubclass(type(value), CONTAINERS):
        yield from ((f"[{n}]", item) for n, item in enumerate(elements(value)[:_MOST]))
    elif not is_tensor(value):
        own = own_attributes(value).items()
        yield from ((f".{label}", item) for label, item in own if not label.startswith("_"))
        yield from labelled_children(value) if is_module(value) else ()


def of_flag(raised: Raised) -> Told | None:
    """`prediction.requires_grad = False`: of what an operation made, no flag is to be changed."""
    for part in raised.parts():
        if isinstance(part, ast.Call) and called(part) == "requires_grad_":
            part = part.func
        if isinstance(part, ast.Attribute) and part.attr.startswith("requires_grad"):
            name = ast.unparse(part.value)
            word = f"`{name}` is the result of an operation; only a leaf's flag can be changed."
            return raised.told(word, f"Leave its graph behind: `{name} = {name}.detach()`.", name)
    return None


def of_inference(raised: Raised) -> Told | None:
    """A tensor made under `inference_mode`, used where autograd records."""
    for part in ast.walk(raised.statement):
        if isinstance(part, _NAMED):
            value = raised.meant(part)
            if is_tensor(value) and value.is_inference():
                name = ast.unparse(part)
                code = raised.rewritten(part, method(part, "clone"))
                return raised.told(
                    f"`{name}` was made under `torch.inference_mode()`: autograd cannot use it.",
                    f"Make it under `torch.no_grad()` there, or use a copy here: `{code}`.",
                    name,
                )
    return None
