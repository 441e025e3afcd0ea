"""What was made wrongly before: a loss that is no tensor, weights that are none."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from gradwatch_agent.advice.rewriting import method
from gradwatch_agent.diagnosis.graphless import of_spots
from gradwatch_agent.diagnosis.graphless.modules import is_module, labelled_children
from gradwatch_agent.diagnosis.refused.raising import Raised, Told, has_graph
from gradwatch_agent.naming.containers import elements
from gradwatch_agent.naming.inside import own_attributes
from gradwatch_agent.source.syntax.reading import called


def of_loss(raised: Raised) -> Told | None:
    """`loss.backward()` of a plain number, or of several things."""
    kind = re.search(r"'([\w.]+)' object", raised.text)
    attributes = (part for part in raised.parts() if isinstance(part, ast.Attribute))
    backward = next((each for each in attributes if each.attr == "backward"), None)
    if kind is None or backward is None:
        return None
    if kind[1] in ("tuple", "list"):
        return _of_several(backward.value, kind[1], raised)
    if type(number := raised.meant(backward.value)) is int and number == 0:
        name = ast.unparse(backward.value)
        code = f"if torch.is_tensor({name}): {ast.unparse(raised.statement)}"
        word = f"`{name}` is still the plain number 0: no loss was added to it."
        return raised.told(word, f"Pass over a step that adds none: `{code}`.", name)
    if kind[1] in ("float", "int") or kind[1].startswith("numpy."):
        # Of a number it is the same question as of a tensor that has no graph.
        answer, sentence = of_spots(list(raised.spots), raised.text)
        return sentence, answer
    return None


def _of_several(owner: ast.expr, kind: str, raised: Raised) -> Told:
    name = ast.unparse(owner)
    word = f"`{name}` is a {kind}; it is one of its elements that has a backward."
    for place, each in enumerate(elements(raised.meant(owner))):
        if has_graph(each) and each.numel() == 1:
            part = ast.parse(f"{name}[{place}]", mode="eval").body
            code = raised.rewritten(owner, part)
            return raised.told(word, f"Take the loss out of it: `{code}`.", name)
    return raised.told(word, "Take the loss out of it.", name)


def of_parameter(raised: Raised) -> Told | None:
    """`layer.weight = layer.weight - lr * gradient`."""
    match raised.statement:
        case ast.Assign(targets=[ast.Attribute() as target], value=value):
            pass
        case _:
            return None
    name = ast.unparse(target)
    inside = f"{name}.copy_({ast.unparse(value)})"
    return raised.told(
        f"`{name}` is a parameter: nothing but another parameter can take its place.",
        f"Change its values: `with torch.no_grad(): {inside}`. If a gradient is to flow through "
        "the new ones, call the module with them, by `torch.func.functional_call`.",
        name,
    )


def of_no_weights(raised: Raised) -> Told | None:
    """An optimizer of a module whose layers lie in a plain list or dict, where none sees them."""
    for call in raised.calls("parameters"):
        if not isinstance(call.func, ast.Attribute):
            continue
        owner = ast.unparse(call.func.value)
        where = next(_unseen(raised.meant(call.func.value), owner), None)
        if where is not None:
            name, kind = where
            return raised.told(
                f"`{owner}` has no parameters: `{name}` is a plain {kind}, in which no module sees "
                "what lies.",
                f"Make it one that is seen where it is made: `nn.Module{kind.capitalize()}(...)`.",
                name,
            )
    return None


def _unseen(module: Any, name: str) -> Iterator[tuple[str, str]]:
    """The lists and dicts of modules that are attributes of a module."""
    waiting = [(module, name)]
    while waiting:
        here, label = waiting.pop()
        if not is_module(here):
            continue
        for attribute, value in own_attributes(here).items():
            plain = next((k for k in (list, dict) if type(value) is k), None)
            if plain is not None and attribute[0] != "_" and any(map(is_module, elements(value))):
                yield f"{label}.{attribute}", plain.__name__
        waiting += [(each, f"{label}{step}") for step, each in labelled_children(here)]


def of_optimized(raised: Raised) -> Told | None:
    """An optimizer of what an operation made, which is no leaf."""
    for part in raised.parts():
        if isinstance(part, ast.Name | ast.Attribute) and has_graph(raised.meant(part)):
            name = ast.unparse(part)
            return raised.told(
                f"`{name}` is the result of an operation; an optimizer steps leaves alone.",
                f"Make it a leaf before: `{name} = {name}.detach().requires_grad_()`.",
                name,
            )
    return None


def of_dtype(raised: Raised) -> Told | None:
    """`torch.tensor([1, 2], requires_grad=True)`, of whole numbers."""
    for call in raised.calls():
        if any(word.arg == "requires_grad" for word in call.keywords):
            others = [word for word in call.keywords if word.arg not in ("dtype", "device")]
            device = [word for word in call.keywords if word.arg == "device"]
            real = ast.keyword("dtype", ast.parse("torch.float32", mode="eval").body)
            new = ast.Call(call.func, call.args, [real, *device, *others])
            return _real(raised, raised.rewritten(call, new))
        if called(call) == "Parameter" and call.args:
            given = call.args[0]
            return _real(raised, raised.rewritten(given, method(given, "float")))
        if called(call) == "requires_grad_" and isinstance(call.func, ast.Attribute):
            return _required(call.func.value, raised)
    match raised.statement:
        case ast.Assign(targets=[ast.Attribute(value=owner, attr="requires_grad")]):
            return _required(owner, raised)
    return None


def _required(owner: ast.expr, raised: Raised) -> Told:
    code = raised.rewritten(owner, method(owner, "float"))
    if not isinstance(owner, ast.Call):
        code = f"{ast.unparse(owner)} = {ast.unparse(owner)}.float().requires_grad_()"
    return _real(raised, code)


def _real(raised: Raised, code: str) -> Told:
    word = "Whole numbers, or truth values, have no gradient."
    return raised.told(word, f"Make it of real numbers: `{code}`.")
