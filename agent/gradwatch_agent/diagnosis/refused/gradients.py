"""A gradient that is not there: of what is no leaf, has no part, is no number."""

from __future__ import annotations

import ast
import re

from gradwatch_agent.advice.rewriting import detached, method, parsed
from gradwatch_agent.diagnosis.refused.raising import Raised, Told, is_tensor
from gradwatch_agent.source.syntax.reading import is_handed_on, reads


def of_none(raised: Raised) -> Told | None:
    """`p.grad.zero_()` where there is none."""
    for part in raised.parts():
        if isinstance(part, ast.Attribute) and part.attr == "grad":
            tensor = raised.tensor(part.value)
            if tensor is not None and (not tensor.is_leaf or tensor.grad is None):
                return _missing(part, raised)
    return None


def _missing(gradient: ast.Attribute, raised: Raised) -> Told:
    name = ast.unparse(gradient.value)
    tensor = raised.tensor(gradient.value)
    if tensor is not None and not tensor.is_leaf:
        word = f"`{name}` is the result of an operation, and a backward keeps no gradient for it."
        if (value := _put_back(gradient, raised)) is not None:
            leaf = method(detached(value), "requires_grad_")
            return raised.told(word, f"Make it a leaf: `{raised.rewritten(value, leaf)}`.", name)
        return raised.told(word, f"Ask for it before the backward: `{name}.retain_grad()`.", name)
    if tensor is not None and not tensor.requires_grad:
        word = f"`{name}` does not require grad: no backward gives it a gradient."
        suggestion = f"If it is to have one, let it, before it is used: `{name}.requires_grad_()`."
        return raised.told(word, suggestion, name)
    word = f"`{name}.grad` is None: no backward has reached it since it was made or zeroed."
    test = f"if {name}.grad is not None"
    if (drawn := _drawn(gradient, raised.statement)) is not None:
        chosen = ast.comprehension(
            drawn.target,
            drawn.iter,
            [*drawn.ifs, parsed(f"{name}.grad is not None")],
            drawn.is_async,
        )
        code = raised.rewritten(drawn, chosen)
    elif isinstance(raised.statement, ast.Expr | ast.AugAssign):
        code = f"{test}: {ast.unparse(raised.statement)}"
    else:
        return raised.told(word, f"Pass over what has none, by `{test}:` before it.", name)
    return raised.told(word, f"Pass over what has none: `{code}`.", name)


def _put_back(gradient: ast.Attribute, raised: Raised) -> ast.expr | None:
    """What takes the tensor's own place: of a descent by hand, `w = w - rate * w.grad`, for each of
    some, `ws = [w - rate * w.grad for w in ws]`, `ws[k] = ...`, or by `setattr`.
    """
    name = ast.unparse(gradient.value)
    match raised.statement:
        case ast.Assign(targets=[target], value=value) if ast.unparse(target) == name:
            return value
        case ast.Assign(targets=[ast.Subscript()], value=value):
            return value if _descends(value, name) else None
        case ast.Expr(value=ast.Call(func=ast.Name(id="setattr"), args=[_, _, value])):
            return value if _descends(value, name) else None
        case ast.Assign(targets=[target], value=ast.ListComp() | ast.DictComp() as whole):
            value = whole.value if isinstance(whole, ast.DictComp) else whole.elt
            again = any(ast.unparse(target) in reads(each.iter) for each in whole.generators)
            return value if again and _descends(value, name) else None
    return None


def _descends(value: ast.expr, name: str) -> bool:
    """Whether it is the tensor and something of its gradient."""
    match value:
        case ast.BinOp(left=left, op=ast.Sub() | ast.Add()):
            return ast.unparse(left) == name
    return False


def _drawn(gradient: ast.Attribute, statement: ast.AST) -> ast.comprehension | None:
    """Where the tensor comes from, if it is one of a comprehension's."""
    for part in ast.walk(statement):
        if isinstance(part, ast.ListComp | ast.GeneratorExp | ast.SetComp):
            last = part.generators[-1]
            named = ast.unparse(last.target) == ast.unparse(gradient.value)
            if named and any(inner is gradient for inner in ast.walk(part.elt)):
                return last
    return None


def of_hook(raised: Raised) -> Told | None:
    """`x.register_hook(...)`, `x.retain_grad()` of what requires no grad."""
    for call in raised.calls("register_hook", "retain_grad"):
        if isinstance(call.func, ast.Attribute):
            name = ast.unparse(call.func.value)
            return raised.told(
                f"`{name}` does not require grad: no gradient flows back to it.",
                f"If one is wanted, let it, before it is used: `{name}.requires_grad_()`.",
                name,
            )
    return None


def of_no_part(raised: Raised) -> Told | None:
    """An input of `torch.autograd.grad` that has no part in the outputs."""
    for call in raised.calls("grad"):
        named = (word.value for word in call.keywords if word.arg == "inputs")
        inputs = next(named, call.args[1] if len(call.args) > 1 else None)
        outputs = ast.unparse(call.args[0]) if call.args else "what is differentiated"
        found = re.search(r"at index (\d+)", raised.text)
        name = _input(inputs, int(found[1]) if found else 0) if inputs is not None else None
        allowing = ast.keyword("materialize_grads", ast.Constant(value=True))
        kept = [word for word in call.keywords if word.arg != "allow_unused"]
        code = raised.rewritten(call, ast.Call(call.func, call.args, [*kept, allowing]))
        return raised.told(
            f"`{name or 'an input'}` has no part in `{outputs}`.",
            "Differentiate by what it is made of; or, where it rightly has no part, take zeros: "
            f"`{code}`.",
            name,
        )
    return None


def _input(inputs: ast.expr, place: int) -> str | None:
    if not isinstance(inputs, ast.List | ast.Tuple):
        return ast.unparse(inputs) if place == 0 and isinstance(inputs, ast.Name) else None
    before = inputs.elts[: place + 1]
    starred = any(isinstance(each, ast.Starred) for each in before)
    return None if starred or place >= len(before) else ast.unparse(before[place])


def of_many(raised: Raised) -> Told | None:
    """`loss.backward()` of what is no number."""
    for call in raised.calls("backward", "grad"):
        if not isinstance(call.func, ast.Attribute):
            continue
        given = call.args[0] if call.args and call.func.attr == "grad" else None
        if call.func.attr == "backward":
            given = call.args[0] if call.args and is_handed_on(call) else call.func.value
        if given is None or isinstance(given, ast.List | ast.Tuple):
            continue
        value, name = raised.meant(given), ast.unparse(given)
        has = f" has the shape {tuple(value.shape)}" if is_tensor(value) else " is no number"
        how = "mean" if call.func.attr == "backward" else "sum"
        code = raised.rewritten(given, method(given, how))
        word = f"`{name}`{has}: without weights for its elements, only a number has a gradient."
        return raised.told(word, f"Make it one: `{code}`.", name)
    return None


def of_weights(raised: Raised) -> Told | None:
    """`given.backward(torch.tensor([1.0]))`, of another shape than what it weighs."""
    for call in raised.calls("backward", "grad"):
        if not isinstance(call.func, ast.Attribute):
            continue
        backward = call.func.attr == "backward" and not is_handed_on(call)
        of = call.func.value if backward else call.args[0] if call.args else None
        given = call.args[:1] if backward else call.args[2:3]
        given += [k.value for k in call.keywords if k.arg in ("gradient", "grad_outputs")]
        if of is None or not given or isinstance(of, ast.List | ast.Tuple):
            continue
        name = ast.unparse(of)
        code = raised.rewritten(given[0], parsed(f"torch.ones_like({name})"))
        return raised.told(
            f"`{ast.unparse(given[0])}` has another shape than `{name}`, for which it is to give "
            "weights.",
            f"For the gradient of its sum: `{code}`.",
            name,
        )
    return None
