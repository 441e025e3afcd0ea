"""What to write instead of an expression that leaves a tensor without its graph. Pure."""

from __future__ import annotations

import ast
from collections.abc import Collection
from typing import Final, TypeGuard

from gradwatch_agent.source.gradients.severing import graph_is_made
from gradwatch_agent.source.syntax.reading import called

_LEAVING: Final = ("detach", "detach_", "item", "numpy", "tolist")
"""Methods that give the same values without their graph."""

TO_NUMPY: Final = ("numpy", "array", "asarray")
"""What leaves torch."""

_CASTING: Final = ("float", "tensor", "Tensor", "FloatTensor", "from_numpy", *TO_NUMPY)
"""Functions that give a copy of their argument's values."""

_COLLECTING: Final = ("tensor", "as_tensor")
"""Those of them that make one tensor of many numbers."""

_OF_MATH: Final = ("cos", "sin", "tan", "acos", "asin", "atan", "exp", "log", "sqrt", "pow", "erf")
"""Functions of `math` that torch has by the same name, or so their names begin: `cosh`, `log2`."""

_OF_NUMPY: Final = frozenset(
    (
        *("mean", "sum", "prod", "std", "var", "max", "min", "abs", "exp", "log", "sqrt", "square"),
        *("maximum", "minimum", "tanh", "sin", "cos", "clip", "stack", "dot", "matmul"),
    )
)
"""Functions that torch has by the same name."""


def uncut(value: ast.expr, lists: Collection[str] = ()) -> ast.expr | None:
    """The same with its graph; None where there is none to be had: an argmax, a comparison.
    `lists`: the names of what tensors lie in.
    """
    inner = _left(value, lists)
    if inner is None:
        return None
    while (further := _left(inner, lists)) is not None:
        inner = further
    return inner


def whole_cut(statement: ast.stmt, value: ast.expr) -> ast.expr | None:
    """The expression, or the outermost around it in the statement that makes numbers or copies of
    it: `torch.tensor(loss.tolist())`. None if it is none of that statement.
    """
    if all(part is not value for part in ast.walk(statement)):
        return None
    around = [part for part in ast.walk(statement) if isinstance(part, ast.Call)]
    wholes = [call for call in around if _leads_to(call, value)]
    return wholes[0] if wholes else value  # from the outside inwards


def uncut_beside(statement: ast.stmt, whole: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """What else the statement has `math` make of the same, a sine beside a cosine, or hands to
    numpy beside it; each with what to write instead.
    """
    if isinstance(whole, ast.Call) and called(whole) in TO_NUMPY:
        inner = set(map(id, ast.walk(whole)))
        calls = [p for p in ast.walk(statement) if isinstance(p, ast.Call) and id(p) not in inner]
        to_numpy = [call for call in calls if called(call) in TO_NUMPY and not _has(call, whole)]
        outer = [c for c in to_numpy if not any(_has(o, c) for o in to_numpy if o is not c)]
        return [(call, better) for call in outer if (better := uncut(call)) is not None]
    if not _is_of_math(whole):
        return []
    every = [part for part in ast.walk(statement) if part is not whole and _is_of_math(part)]
    same = [part for part in every if _given(part) == _given(whole)]
    return [(part, better) for part in same if (better := uncut(part)) is not None]


def _has(call: ast.Call, part: ast.expr) -> bool:
    return any(each is part for each in ast.walk(call))


def _is_of_math(value: ast.AST) -> TypeGuard[ast.Call]:
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr=name)):
            return name.startswith(_OF_MATH)
    return False


def _is_of_numpy(value: ast.AST) -> TypeGuard[ast.Call]:
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="np" | "numpy"), attr=name)):
            return name in _OF_NUMPY
    return False


def _given(call: ast.Call) -> list[str]:
    return [ast.unparse(each) for each in call.args]


def _leads_to(call: ast.expr, value: ast.expr) -> bool:
    inner: ast.expr | None = call
    while inner is not None and inner is not value:
        if any(_leads_to(each, value) for each in _elements(inner)):
            return True
        inner = _left(inner)
    return inner is value


def _left(value: ast.expr, lists: Collection[str] = ()) -> ast.expr | None:
    match value:
        case ast.Attribute(value=inner, attr="data"):
            return inner
        case ast.Call(func=ast.Attribute(value=inner, attr=name)) if name in _LEAVING:
            return inner
        case ast.Call(func=ast.Attribute(value=inner, attr="cpu")) if _left(inner) is not None:
            return inner
        case ast.Call(func=ast.Attribute(value=whose, attr="state_dict")):
            named = ast.Call(ast.Attribute(whose, "named_parameters"), [], [])
            return ast.Call(ast.Name("dict"), [named], [])
        case ast.Call(keywords=keywords) if called(value) == "grad" and not graph_is_made(value):
            graph = ast.keyword("create_graph", ast.Constant(value=True))
            others = [each for each in keywords if each.arg != "create_graph"]
            return ast.Call(value.func, value.args, [*others, graph])
        case ast.Call(args=[ast.List() | ast.ListComp() as rows]) if called(value) in _COLLECTING:
            return _stacked(rows)
        case ast.Call(args=[ast.Name(id=name) as rows]) if (
            called(value) in _COLLECTING and name in lists
        ):
            return _stacked(rows)
        case ast.Call(func=ast.Attribute(attr=name)) if _is_of_math(value):
            return ast.Call(ast.Attribute(ast.Name("torch"), name), value.args, [])
        case ast.Call(func=ast.Attribute(attr=name), args=[first, *rest]) if (
            _is_of_numpy(value) and (bare := uncut(first)) is not None
        ):
            arguments = [bare, *(uncut(each) or each for each in rest)]
            return ast.Call(ast.Attribute(ast.Name("torch"), name), arguments, value.keywords)
        case ast.Call(args=[inner]) if called(value) in _CASTING and not _casts_only(value):
            return inner
    return None


def _stacked(rows: ast.expr) -> ast.expr:
    """What makes one tensor of many, and keeps their graphs."""
    match rows:
        case ast.List(elts=each):
            rows = ast.List([uncut(one) or one for one in each])
        case ast.ListComp(elt=one, generators=generators):
            rows = ast.ListComp(uncut(one) or one, generators)
    return ast.Call(ast.Attribute(ast.Name("torch"), "stack"), [rows], [])


def _elements(value: ast.expr) -> list[ast.expr]:
    """Of what makes a tensor of numbers, these; what a function of numpy's is given."""
    match value:
        case ast.Call(args=each) if _is_of_numpy(value):
            return each
        case ast.Call(args=[ast.List(elts=each)]) if called(value) in _COLLECTING:
            return each
        case ast.Call(args=[ast.ListComp(elt=one)]) if called(value) in _COLLECTING:
            return [one]
    return []


def _casts_only(call: ast.Call) -> bool:
    """Whether it is torch's, and keeps the graph of a tensor."""
    return ast.unparse(call.func) == "torch.asarray"
