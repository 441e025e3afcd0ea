"""How a function puts together what it hands back. Pure but for reading."""

from __future__ import annotations

import ast
import dataclasses
import re
from collections.abc import Collection, Iterator

from gradwatch_agent.advice.parts import part
from gradwatch_agent.advice.rewriting import detached, method, parsed
from gradwatch_agent.source.stored.stores import stores, variable
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.scopes import first_line

_GATHERING = ("stack", "cat", "concat", "hstack", "vstack")
"""Calls that put a gathered list together."""

_VIEWS = ("flatten", "reshape", "view", "squeeze", "unsqueeze", "transpose", "permute", "to")
"""Methods that give the same thing another shape, or put it elsewhere."""


@dataclasses.dataclass(frozen=True, slots=True)
class Put:
    """A statement that puts a part into what is handed back."""

    statement: ast.stmt
    value: ast.expr
    rest: tuple[str, ...] = ()
    """The steps that lead on from there to the part, where its writing does not show them."""

    @property
    def key(self) -> str:
        """Of a dict that a call gives, the key of the part; else empty."""
        key = self.rest[0] if len(self.rest) == 1 else ""
        is_known = isinstance(self.value, ast.Call | ast.Name | ast.Attribute)
        return key[2:-2] if key[:2] == "['" and is_known else ""

    @property
    def without_its_graph(self) -> ast.expr:
        """The value, detached; of a dict, all that lies in it."""
        if self.key:
            return self._of_each("detach()")
        return detached(self.value)

    @property
    def as_leaves(self) -> ast.expr:
        """The same, of which gradients are to be asked."""
        if self.key:
            return self._of_each("detach().requires_grad_()")
        return method(detached(self.value), "requires_grad_")

    def _of_each(self, call: str) -> ast.expr:
        return parsed(f"{{k: t.{call} for k, t in {ast.unparse(self.value)}.items()}}")


def puts(
    function: ast.FunctionDef | ast.AsyncFunctionDef, labels: tuple[str, ...]
) -> Iterator[Put]:
    """Where the part that the labels lead to is put: in what it returns, or is returned by name."""
    returned = [node for node in ast.walk(function) if isinstance(node, ast.Return)]
    names = {node.value.id for node in returned if isinstance(node.value, ast.Name)}
    for statement in (*returned, *_given(function, names)):
        value = _record(getattr(statement, "value", None))
        if value is not None and not isinstance(value, ast.Name):
            yield from (Put(statement, one, rest) for one, rest in _led_to(value, labels))


def puts_by_name(
    function: ast.FunctionDef | ast.AsyncFunctionDef, labels: tuple[str, ...]
) -> Iterator[Put]:
    """The same, and of a part that is handed back by name and made on the spot, in the statement
    that makes it: `new = {"carry": carry}` of `return new, loss`.
    """
    for put in puts(function, labels):
        if put.rest and isinstance(put.value, ast.Name):
            for statement in _given(function, {put.value.id}):
                yield from (Put(statement, *each) for each in _led_to(statement.value, put.rest))
        yield put


def puts_in(statement: ast.Assign, label: str) -> Iterator[Put]:
    """What the statement gives, or of a dict or list that is made on the spot the part."""
    if isinstance(statement.value, ast.Dict | ast.DictComp | ast.List | ast.ListComp | ast.Tuple):
        yield from (Put(statement, *each) for each in _led_to(statement.value, (label,)))
    else:
        yield Put(statement, statement.value)


def _given(
    function: ast.FunctionDef | ast.AsyncFunctionDef, names: Collection[str]
) -> list[ast.Assign]:
    """The function's statements that give a variable of such a name something."""
    return [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        if any(isinstance(target, ast.Name) and target.id in names for target in node.targets)
    ]


def _led_to(value: ast.expr, labels: tuple[str, ...]) -> Iterator[tuple[ast.expr, tuple[str, ...]]]:
    """The part that the labels lead to, or as many of them as lead to something written there, and
    the others.
    """
    written = {id(node) for node in ast.walk(value)}
    for many in range(len(labels), 0, -1):
        found: list[ast.expr] = []
        part(value, labels[:many], lambda one, found=found: found.append(one) or one)  # type: ignore[misc]
        yield from ((one, labels[many:]) for one in found if id(one) in written)


def _record(value: ast.expr | None) -> ast.expr | None:
    """`Rollout(a, b)` of `Rollout(a, b).flat()`."""
    match value:
        case ast.Call(func=ast.Attribute(value=ast.Call() as inner)):
            return _record(inner)
    return value


def put_into(put: Put, file: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Put:
    """Where a variable is handed back, in whatever shape: what is appended to it, if it is a list,
    or what it is given, if but once: of one made in several steps the last one goes in.
    """
    name = _shaped(put.value)
    if name is None:
        return (_by_keyword(put.key, function) if put.key else None) or put
    given: list[Put] = []
    for store in stores([variable(file, first_line(function), name)], [file]):
        match store.node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[each])):
                return Put(store.node, each)
            case ast.Assign(targets=[ast.Name()], value=value):
                given.append(Put(store.node, value))
    return given[0] if len(given) == 1 else put


def into_column(
    file: str, function: ast.FunctionDef | ast.AsyncFunctionDef, labels: tuple[str, ...]
) -> Put | None:
    """Where a column grows that is handed back with all others, made anew in one go: under a key in
    `return {k: torch.stack(v) for k, v in columns.items()}`, or as a field, `Batch(**{...})`; maybe
    with other things, `return {...}, reward`.
    """
    returned = [node.value for node in ast.walk(function) if isinstance(node, ast.Return)]
    for value in returned:
        label = labels[0]
        if isinstance(value, ast.Tuple) and label[1:-1].isdecimal() and len(labels) > 1:
            place = int(label[1:-1])
            value, label = value.elts[place] if place < len(value.elts) else None, labels[1]
        match _record(value):
            case ast.Call(args=[], keywords=[ast.keyword(arg=None, value=ast.DictComp() as made)]):
                key = repr(re.split(r"[.:]", label)[-1].rstrip("]"))
            case ast.DictComp() as made:
                key = label[1:-1]
            case _:
                continue
        if (put := _in_column(file, function, made, key)) is not None:
            return put
    return None


def _in_column(
    file: str,
    function: ast.FunctionDef | ast.AsyncFunctionDef,
    made: ast.DictComp,
    key: str,
    depth: int = 3,
) -> Put | None:
    """Where what lies under that key grows, of what `made` goes through."""
    match made.generators[0].iter:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="items")):
            if (put := _appended(file, function, name, key)) is not None or not depth:
                return put
            for each in _given(function, {name}):
                if isinstance(each.value, ast.DictComp):
                    return _in_column(file, function, each.value, key, depth - 1)
    return None


def _appended(
    file: str, function: ast.FunctionDef | ast.AsyncFunctionDef, name: str, key: str
) -> Put | None:
    """What is appended to the list under the key, or under whichever key a variable has."""
    found: dict[str | None, Put] = {}
    for store in stores([variable(file, first_line(function), name)], [file]):
        match store.node:
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append"), args=[each])):
                found.setdefault(store.key, Put(store.node, each))
    return found.get(key) or found.get(None)


def _by_keyword(key: str, function: ast.FunctionDef | ast.AsyncFunctionDef) -> Put | None:
    """Of a dict that a call gives (`buffer.stacked()`), where the function hands over what becomes
    the element under the key: `buffer.add(log_prob=log_prob)`, if in one place.
    """
    found = [
        Put(statement, keyword.value)
        for statement in ast.walk(function)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
        for keyword in statement.value.keywords
        if keyword.arg == key
    ]
    return found[0] if len(found) == 1 else None


def _shaped(value: ast.expr) -> str | None:
    """The variable of which the value is another view: `advantage` of `advantage.flatten()`."""
    match value:
        case ast.Name(id=name):
            return name
        case ast.Call(func=ast.Attribute(value=inner, attr=attribute)) if attribute in _VIEWS:
            return _shaped(inner)
    return None


def gathers(value: ast.AST) -> bool:
    """Whether it is such a call, of a list that was gathered before: parts that are computed on
    the spot are those of one thing.
    """
    if not isinstance(value, ast.Call) or called(value) not in _GATHERING:
        return False
    return not any(isinstance(each, ast.ListComp | ast.GeneratorExp) for each in value.args)


def hands_gathered(value: ast.AST) -> bool:
    """Whether such a list, put together, is handed on as it is or as a part of a record: not where
    more is computed of it, `torch.stack(energies).var()`, which is one thing.
    """
    if gathers(value):
        return True
    if isinstance(value, ast.BinOp | ast.UnaryOp):
        return False
    parts = list(ast.iter_child_nodes(value))
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        computed = gathers(value.func.value) and called(value) not in _VIEWS
        parts = parts[1:] if computed else parts
    return any(map(hands_gathered, parts))
