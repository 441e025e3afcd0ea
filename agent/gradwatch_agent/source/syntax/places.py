"""Places that statements store into, and the stores: what an index of a file holds. Pure."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from gradwatch_agent.source.syntax.reading import is_empty, reads
from gradwatch_agent.source.syntax.scopes import Scope
from gradwatch_agent.source.syntax.text import code_of
from gradwatch_agent.source.syntax.vocabulary import CONSTRUCTING

GIVING: Final = ("assign", "set")
"""How a name is given something whole: by `x = y`, or by `x.set(y)`, as a context's variable is."""

ATTRIBUTE: Final = -1
"""The scope of an attribute, whosever it is."""


CONTENTS: Final = -2
"""The scope of what lies in containers of a class of the user's own."""


RESULT: Final = -3
"""The scope of what functions of a name hand back."""


@dataclass(frozen=True, slots=True)
class Place:
    """A variable, or every attribute of that name."""

    file: str
    """Empty for an attribute: it may be stored into anywhere."""
    scope: int
    name: str


def attribute(name: str) -> Place:
    """The place of an attribute."""
    return Place("", ATTRIBUTE, name)


def contents(kind: str) -> Place:
    """What lies in containers of that class, as its own methods put it in: `self[key] = x`."""
    return Place("", CONTENTS, kind)


def result(function: str) -> Place:
    """What a function of that name hands back: `self.row(key).append(loss)`."""
    return Place("", RESULT, function)


ANY: Final = attribute("")
"""Attributes whose names are made up at run time."""


@dataclass(frozen=True, slots=True)
class Store:
    """A statement that puts something under a name."""

    file: str
    line: int
    end_line: int
    node: ast.stmt
    function: str
    """The innermost function around it; empty at module level."""
    scope: int
    owner: str
    """The class around it, if any."""
    in_loop: bool
    how: str
    """"assign", "augment", "bind" (a loop, a with, a walrus), or what is called."""
    fresh: bool
    """What it stores can carry no graph."""
    certain: bool = True
    """Whether it surely stores: a call that is only given the thing may just read it."""
    own: bool = False
    """Whether it stores into an attribute of `self`."""
    key: str | None = None
    """Under which constant key of a container, as Python writes it: "'loss'"."""
    target: str = ""
    """What is stored into, as the statement spells it, keys included."""
    rest: int | None = None
    """Where it is a call whose arguments are stored together, from this position on."""
    value: ast.expr | None = None
    """Of a call to a function of the program's own, which of its arguments is stored."""
    named: bool = False
    """Whether it is a call whose arguments by names become one record."""

    @property
    def code(self) -> str:
        """Its source in one line."""
        return code_of(self.file, self.node)

    @property
    def constructs(self) -> bool:
        """Whether it stands in a constructor, which runs as its object is made."""
        return self.function in CONSTRUCTING

    @property
    def adds(self) -> bool:
        """Whether what is there may become more by it."""
        return self.accumulates or "[" in self.target

    @property
    def keys(self) -> int:
        """How many keys its target goes over: of `log[step].setdefault("loss", [])` two."""
        return _keys(ast.parse(self.target, mode="eval").body) if self.target else 0

    @property
    def adds_to_itself(self) -> bool:
        """Whether it is x += y or x = x - y: an update, not another form of the same."""
        value = _given_to(self.target, self.node)
        if self.how != "assign" or not isinstance(value, ast.BinOp):
            return self.how == "augment"
        return self.target in (ast.unparse(value.left), ast.unparse(value.right))

    @property
    def goes_on(self) -> bool:
        """The same, and weighted, or one by one: x = 0.9 * x + 0.1 * y, x = [t - y for t in x]."""
        value = _given_to(self.target, self.node)
        whole = isinstance(value, ast.BinOp) and self.target in _operands(value)
        each = value is not None and _goes_on_by_each(self.target, value)
        return self.adds_to_itself or (self.how == "assign" and (whole or each))

    @property
    def accumulates(self) -> bool:
        """Whether what was there before stays in it: an addition, or x = f(x)."""
        if self.how not in GIVING:
            return self.how != "bind"
        value = _given_to(self.target, self.node)
        if isinstance(value, ast.DictComp) and is_empty(value.value):
            return False  # `{key: [] for key in self.rows}`: no more than the keys
        return value is not None and self.target.partition("[")[0] in reads(value)


def _keys(target: ast.expr) -> int:
    match target:
        case ast.Subscript(value=within):
            return 1 + _keys(within)
        case ast.Call(func=ast.Attribute(value=within, attr="setdefault" | "get")):
            return 1 + _keys(within)
        case ast.Attribute(value=within):
            return _keys(within)
    return 0


def _goes_on_by_each(target: str, value: ast.expr) -> bool:
    """Whether each part is made of one that is there, by arithmetic."""
    match value:
        case ast.Call(func=ast.Name(id="tuple" | "list" | "dict"), args=[parts], keywords=[]):
            return _goes_on_by_each(target, parts)
        case ast.DictComp(value=part) | ast.ListComp(elt=part) | ast.GeneratorExp(elt=part):
            over = [each for each in value.generators if target in _parts_of(each.iter)]
            own = {n.id for each in over for n in ast.walk(each.target) if isinstance(n, ast.Name)}
            of_it = (o in own or o.partition("[")[0] == target for o in _operands(part))
            return isinstance(part, ast.BinOp) and any(of_it)
    return False


def _parts_of(value: ast.expr) -> set[str]:
    return {ast.unparse(part) for part in ast.walk(value) if isinstance(part, ast.expr)}


def _operands(value: ast.expr) -> Iterator[str]:
    """What the arithmetic is about, signs and brackets aside."""
    match value:
        case ast.BinOp(left=left, right=right):
            yield from (*_operands(left), *_operands(right))
        case _:
            yield ast.unparse(value)


@dataclass(frozen=True, slots=True)
class Passed:
    """The thing is given to a function."""

    callee: str
    position: int
    keyword: str | None
    method: bool


@dataclass(slots=True)
class Index:
    """Of one file."""

    scopes: dict[int, Scope] = field(default_factory=dict)
    puts: dict[Place, list[Store]] = field(default_factory=lambda: defaultdict(list))
    aliases: dict[Place, list[Place]] = field(default_factory=lambda: defaultdict(list))
    views: dict[Place, list[Place]] = field(default_factory=lambda: defaultdict(list))
    """Other names of the same memory: `row = table.detach()[0]`."""
    passed: dict[Place, list[Passed]] = field(default_factory=lambda: defaultdict(list))
    shown: dict[Place, list[Passed]] = field(default_factory=lambda: defaultdict(list))
    """Of what is passed, what is but a view of the thing: `draw(table.detach()[0])`."""
    functions: dict[str, list[Scope]] = field(default_factory=lambda: defaultdict(list))
    classes: set[str] = field(default_factory=set)


def _given_to(target: str, statement: ast.stmt) -> ast.expr | None:
    """What an assignment gives to that target, be it one of several: `s, n = s + x, n + 1`; or a
    context's variable: `mark = scope.set(x)`.
    """
    match statement:
        case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
            if len(targets) == len(values):
                pairs = zip(map(ast.unparse, targets), values, strict=True)
                return dict(pairs).get(target)
    match value := getattr(statement, "value", None):
        case ast.Call(func=ast.Attribute(value=whose, attr="set"), args=[given]):
            return given if ast.unparse(whose) == target else value
    return value
