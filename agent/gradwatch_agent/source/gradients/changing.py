"""Which statements change a tensor in place. Pure but for reading."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.flow.drawing import drawn_from
from gradwatch_agent.source.stored.stores import Place, attribute, variable
from gradwatch_agent.source.syntax.reading import base, called, dotted, is_library, parts
from gradwatch_agent.source.syntax.statements import body_around, function_at
from gradwatch_agent.source.syntax.text import code_of, lines, nodes
from gradwatch_agent.source.syntax.vocabulary import works_in_place

_LAST_INPLACE: Final = frozenset(
    ("ReLU", "ReLU6", "SELU", "SiLU", "Mish", "ELU", "CELU", "LeakyReLU")
)
"""Modules that are told by their last argument to work in place."""

_LOADING: Final = ("load_state_dict", "vector_to_parameters")
"""Calls that give all weights of a module other values."""

_WEIGHTS: Final = frozenset(("parameters", "named_parameters", "state_dict"))
"""Methods of a module over whose results a loop goes; or that are given a name."""


@dataclass(frozen=True, slots=True)
class InPlace:
    """A statement that changes something in place."""

    file: str
    node: ast.stmt
    target: ast.expr
    """What it changes."""
    how: str
    """"augment", "element", "method", "argument" (inplace=True, out=), "module", or "weights": all
    those of a module."""
    call: ast.Call | None = None

    @property
    def puts_back(self) -> bool:
        """Whether it gives all of it what something else is: `weight.copy_(saved)`."""
        return self.call is not None and called(self.call) == "copy_"

    @property
    def line(self) -> int:
        """Where it begins."""
        return self.node.lineno

    @property
    def code(self) -> str:
        """Its source in one line."""
        return code_of(self.file, self.node)

    @property
    def plain(self) -> str:
        """The same without a comment at its end, and without the head of a block on its line."""
        ahead = lines(self.file)[self.node.lineno - 1][: self.node.col_offset]
        return ast.unparse(self.node) if ahead.strip() else self.code.partition("  #")[0]

    def covers(self, line: int) -> bool:
        """Whether the line is one of its own."""
        return self.node.lineno <= line <= (self.node.end_lineno or self.node.lineno)

    @property
    def name(self) -> str | None:
        """How the statement calls what it changes; None if by no name."""
        return dotted(base(self.target))

    @property
    def place(self) -> Place | None:
        """The variable or attribute that is changed."""
        inner = base(self.target)
        if isinstance(inner, ast.Attribute):
            return attribute(inner.attr)
        if isinstance(inner, ast.Name):
            return variable(self.file, function_at(self.file, self.line), inner.id)
        return None


@lru_cache(maxsize=512)
def changes(file: str) -> tuple[InPlace, ...]:
    """Every statement of the file that changes something in place."""
    modules = _inplace_modules(file)
    found = []
    for statement in nodes(file):
        if isinstance(statement, ast.stmt):
            found += [
                InPlace(file, statement, target, how, call)
                for target, how, call in _targets(statement, modules)
            ]
    return tuple(found)


def changes_of_weights(file: str) -> list[InPlace]:
    """Those of a variable that goes over parameters, `for p in model.parameters()`, or has all of
    them, `state = model.state_dict()`.
    """
    found = []
    for change in changes(file):
        inner = base(change.target)
        body = body_around(file, change.line)
        if body is not None and isinstance(inner, ast.Name) and _goes_over(body, inner.id):
            found.append(change)
    return found


def _goes_over(body: ast.AST, name: str) -> bool:
    every = list(ast.walk(body))
    loops = (node for node in every if isinstance(node, ast.For | ast.comprehension))
    sources = [drawn_from(loop.target, loop.iter, name) for loop in loops]
    sources += [n.value for n in every if isinstance(n, ast.Assign) and _is_only(n.targets, name)]
    return any(
        isinstance(part, ast.Attribute) and part.attr in _WEIGHTS
        for source in sources
        if source is not None
        for part in ast.walk(source)
    )


def _is_only(targets: list[ast.expr], name: str) -> bool:
    return [getattr(target, "id", None) for target in targets] == [name]


def changes_at(file: str, line: int) -> list[InPlace]:
    """Those that the line is of."""
    return [change for change in changes(file) if change.covers(line)]


def _targets(
    statement: ast.stmt, modules: frozenset[str]
) -> Iterator[tuple[ast.expr, str, ast.Call | None]]:
    if isinstance(statement, ast.AugAssign):
        yield statement.target, "augment", None
    if isinstance(statement, ast.Assign):
        for target in statement.targets:
            if isinstance(target, ast.Subscript) and _may_be_of_a_tensor(target, statement.value):
                yield target, "element", None
    for part in parts(statement):
        if isinstance(part, ast.Call):
            yield from _of_call(part, modules)


def _may_be_of_a_tensor(target: ast.Subscript, value: ast.expr) -> bool:
    """No tensor has a string for a key, or takes one, a dict or a function for an element."""
    return not any(map(_is_no_number, (target.slice, value)))


def _is_no_number(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str | bytes)
    return isinstance(node, ast.JoinedStr | ast.Dict | ast.DictComp | ast.Set | ast.Lambda)


def _of_call(
    call: ast.Call, modules: frozenset[str]
) -> Iterator[tuple[ast.expr, str, ast.Call | None]]:
    name = called(call)
    if name in _LOADING:
        yield call.func.value if isinstance(call.func, ast.Attribute) else call, "weights", call
    for keyword in call.keywords:
        if keyword.arg == "out":
            yield keyword.value, "argument", call
        if keyword.arg == "inplace" and call.args and is_true(keyword.value):
            yield call.args[0], "argument", call
    if works_in_place(name):
        function = call.func
        if isinstance(function, ast.Attribute) and not is_library(function.value):
            inner = function.value
            if not isinstance(inner, ast.Call) or not works_in_place(called(inner)):
                yield inner, "method", call  # `x.mul_(2).floor_()` is one change of x
        elif call.args:
            yield call.args[0], "argument", call
    if name in modules and call.args and not name[:1].isupper():
        yield call.args[0], "module", call


def is_true(node: ast.expr) -> bool:
    """Whether it is written `True`."""
    return isinstance(node, ast.Constant) and node.value is True


def made_in_place(file: str, name: str) -> ast.Assign | None:
    """The assignment of a module that works in place."""
    return next((n for n in made_with(file, name, "inplace") if makes_inplace(n.value)), None)


def made_with(file: str, name: str, keyword: str) -> Iterator[ast.Assign]:
    """Where a variable or attribute is given something that is made with this keyword."""
    for node in nodes(file):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Call)
            and any(each.arg == keyword for each in node.value.keywords)
            and any((dotted(t) or "").rpartition(".")[2] == name for t in node.targets)
        ):
            yield node


def _inplace_modules(file: str) -> frozenset[str]:
    """Names of what is made with inplace=True."""
    return frozenset(
        (dotted(target) or "").rpartition(".")[2]
        for node in nodes(file)
        if isinstance(node, ast.Assign) and makes_inplace(node.value)
        for target in node.targets
    ) - {""}


def makes_inplace(value: ast.expr) -> bool:
    """Whether it makes a module that works in place: `nn.Dropout(0.1, inplace=True)`; or, by its
    last argument, `nn.ReLU(True)`.
    """
    return isinstance(value, ast.Call) and (
        any(keyword.arg == "inplace" and is_true(keyword.value) for keyword in value.keywords)
        or (called(value) in _LAST_INPLACE and any(map(is_true, value.args[-1:])))
    )
