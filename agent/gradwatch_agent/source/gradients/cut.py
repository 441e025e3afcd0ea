"""Functions of the program that hand back nothing with a graph: `repackage(h)`, `h.truncated()`.

What is stored of theirs is not what leaks. Pure but for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from gradwatch_agent.source.flow.giving import callees
from gradwatch_agent.source.stored.freshness import Carries, carries
from gradwatch_agent.source.syntax.places import Store
from gradwatch_agent.source.syntax.reading import called, speaks_of
from gradwatch_agent.source.syntax.statements import functions_of, results_of

CHANGING = ("replace", "_replace")
"""Calls that give a record with some fields changed."""


def hands_back_cut(statement: ast.AST, files: Iterable[str]) -> bool:
    """Whether what the statement assigns is handed back by such a function, by all of that name."""
    value = getattr(statement, "value", None)
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or not isinstance(value, ast.Call):
        return False
    found = callees(value, files)
    return bool(found) and all(_cuts(each) for _, each in found)


def is_for_its_cut(call: ast.Call, files: Iterable[str]) -> bool:
    """Whether all functions of that name are there to hand back detached what they are given."""
    results = [value for _, each in callees(call, files) for _, value in results_of(each)]
    return bool(results) and all(
        is_cut(value) and speaks_of(ast.Expr(value), "detach") for value in results
    )


def fails_to_cut(statement: ast.AST, files: Iterable[str]) -> bool:
    """Whether it gives a thing what a function of the program makes of it that detaches some things
    (`state = repackage(state)`), not all: where a graph goes on, that one has let it through.
    """
    every = list(files)
    meant = _meant_to_cut(statement, every)
    return bool(meant) and not hands_back_cut(statement, every)


def merely_copies(statement: ast.AST) -> bool:
    """Whether it gives a thing, or several, a copy of itself: `self.h = self.h.clone()`. For the
    graph that is nothing; what else it may be meant for is to cut it.
    """
    match statement:
        case ast.Assign(
            targets=[ast.Tuple(elts=[*into]) | ast.List(elts=[*into])],
            value=ast.Tuple(elts=[*values]) | ast.List(elts=[*values]),
        ) if len(into) == len(values) > 0:
            pairs = zip(into, values, strict=True)
            return all(_is_copy_of(value, ast.unparse(target)) for target, value in pairs)
        case ast.Assign(targets=[target], value=value):
            return _is_copy_of(value, ast.unparse(target))
    return False


def _is_copy_of(value: ast.expr, name: str) -> bool:
    match value:
        case ast.Call(func=ast.Attribute(value=copied, attr="requires_grad_")):
            return _is_copy_of(copied, name)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr="clone"), args=[copied]):
            return ast.unparse(copied) == name
        case ast.Call(func=ast.Attribute(value=copied, attr="clone"), args=[]):
            return ast.unparse(copied) == name
        case ast.Call(func=ast.Name(id="tuple" | "list"), args=[parts], keywords=[]):
            return _is_copy_of(parts, name)
        case (
            ast.ListComp(elt=part, generators=[each])
            | ast.GeneratorExp(elt=part, generators=[each])
        ):
            return ast.unparse(each.iter) == name and _is_copy_of(part, ast.unparse(each.target))
    return False


def cuts_now_and_then(statement: ast.AST, files: Iterable[str]) -> bool:
    """Whether that function detaches the very thing on one way through it, and not on another."""
    every = list(files)
    own = [each for each in _meant_to_cut(statement, every) if _decides(each)]
    return bool(own) and not hands_back_cut(statement, every)


def _meant_to_cut(statement: ast.AST, files: list[str]) -> list[ast.AST]:
    """The functions, or variants of a generic one, by which a thing becomes another form of itself,
    and that hand back something cut.
    """
    match statement:
        case ast.Assign(targets=targets, value=ast.Call(args=[given, *_]) as call):
            if not any(ast.unparse(target) == ast.unparse(given) for target in targets):
                return []
            every = [each for file in files for each in functions_of(file)]
            named = [f for f in every if f.name == called(call) or _is_variant(f, called(call))]
            return [function for function in named if _hands_back_some_cut(function)]
    return []


def _is_variant(function: ast.FunctionDef | ast.AsyncFunctionDef, name: str) -> bool:
    """Of a generic function: `@name.register`."""
    heads = (d.func if isinstance(d, ast.Call) else d for d in function.decorator_list)
    return any(
        isinstance(head, ast.Attribute)
        and head.attr == "register"
        and isinstance(head.value, ast.Name)
        and head.value.id == name
        for head in heads
    )


def _hands_back_some_cut(function: ast.AST) -> bool:
    """Whether on one way through it what it hands back is cut."""
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    ways = [
        way
        for value in returned
        for way in ([value.body, value.orelse] if isinstance(value, ast.IfExp) else [value])
    ]
    return any(isinstance(way, ast.expr) and is_cut(way) for way in ways)


def _decides(function: ast.AST) -> bool:
    return any(isinstance(node, ast.If | ast.IfExp) for node in ast.walk(function))


def ends_graphs(statement: ast.stmt) -> bool:
    """Whether what it detaches may be the state it stores: not `v - threshold * spike.detach()`,
    which goes on with the state and leaves a part of what is added without a graph.
    """
    value = getattr(statement, "value", None)
    if not speaks_of(statement, "detach", "detach_"):
        return False
    return not isinstance(value, ast.BinOp) or is_cut(value)


def goes_on_with_cut(store: Store) -> bool:
    """Whether what it adds to the thing that goes on has no graph: `x = 0.9 * x + y.detach()`."""
    added = list(_operands(getattr(store.node, "value", None), store.target))
    return store.goes_on and bool(added) and all(map(_is_without_graph, added))


def _operands(value: ast.expr | None, target: str) -> Iterator[ast.expr]:
    """What the arithmetic is about, but for what is there already."""
    match value:
        case ast.BinOp(left=left, right=right):
            yield from (*_operands(left, target), *_operands(right, target))
        case ast.expr() if ast.unparse(value) != target:
            yield value


def _is_without_graph(value: ast.expr) -> bool:
    return carries(value, lambda _: Carries.GRAPH) is Carries.NOTHING


_NAMED = (ast.Name, ast.Attribute, ast.Subscript)
"""What may be a thing as it is."""


_EMPTY = ("[]", "{}", "()", "None")
"""What takes the place of something else: `out, self.left = self.left, []`."""


def cuts_a_part(statement: ast.stmt) -> bool:
    """Whether it stores several things, some detached and some as they are: `(h.detach(), c)`."""
    parts: list[ast.expr] = []
    match getattr(statement, "value", None):
        case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Dict(values=parts):
            pass
        case ast.Call(args=args, keywords=keywords) as call if called(call)[:1].isupper():
            parts = [*args, *(keyword.value for keyword in keywords)]
    parts = [part for part in parts if ast.unparse(part) not in _EMPTY]
    whole = [part for part in parts if not is_cut(part)]
    return 0 < len(whole) < len(parts) and all(isinstance(part, _NAMED) for part in whole)


def _cuts(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    return bool(returned) and all(is_cut(value, function.name) for value in returned)


def graphs_if(statement: ast.stmt) -> Iterator[tuple[ast.expr, bool]]:
    """The test by which all that it stores has a graph, and what it must come to for that:
    `append(loss if n < 9 else loss.item())`; nothing of what is stored beside something else.
    """
    match statement:
        case ast.Expr(value=ast.Call(args=[ast.IfExp() as choice], keywords=[])):
            pass
        case ast.Assign(value=ast.IfExp() as choice):
            pass
        case _:
            return
    body, other = is_cut(choice.body), is_cut(choice.orelse)
    if body != other:
        yield choice.test, other


def is_cut(value: ast.expr | None, own: str | None = None) -> bool:
    """Whether it carries no graph; what the function `own` hands back to itself decides
    nothing.
    """
    match value:
        case ast.ListComp(elt=part) | ast.SetComp(elt=part) | ast.GeneratorExp(elt=part):
            return is_cut(part, own)
        case ast.DictComp(value=part):
            return is_cut(part, own)
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            return all(is_cut(part, own) for part in parts)
        case ast.IfExp(body=body, orelse=other):
            return is_cut(body, own) and is_cut(other, own)
        case ast.Call(func=ast.Name(id="tuple" | "list" | "dict"), args=[part], keywords=[]):
            return is_cut(part, own)
        case ast.Call() if called(value) in CHANGING and value.keywords:
            return all(is_cut(keyword.value, own) for keyword in value.keywords)
        case ast.Call() if own is not None and called(value) == own:
            return True
        case None | ast.Constant():
            return False  # told by what it is otherwise
    return carries(value, lambda _: Carries.GRAPH) is not Carries.GRAPH
