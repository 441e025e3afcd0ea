"""Which statements put something under a name, or into the thing that the name stands for.

Owns one index for each file: statements by the place they store into, and the ways by which a
thing comes to be known under another name (an assignment, an argument of a function). Pure but
for reading.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from gradwatch_agent.source.reading import base, called, dotted, is_fresh, reads
from gradwatch_agent.source.scopes import MODULE, Scope, enter, first_line
from gradwatch_agent.source.text import code_of, lines, tree

_ADDING: Final = frozenset(
    (
        "append",
        "appendleft",
        "extend",
        "extendleft",
        "add",
        "insert",
        "update",
        "put",
        "push",
        "setdefault",
        "put_nowait",
        "store",
        "record",
        "remember",
        "write",
        "log",
        "collect",
        "register_buffer",
        "__setitem__",
        "__setattr__",
        "send",
        "set",
        "submit",
        "save",
        "track",
        "observe",
        "cache",
        "enqueue",
        "add_scalar",
        "add_scalars",
        "add_",
    )
)
"""Methods by which things get into what they are called on."""

_READING: Final = frozenset(
    (
        "backward",
        "item",
        "detach",
        "index",
        "count",
        "get",
        "pop",
        "popleft",
        "keys",
        "values",
        "items",
        "copy",
        "clear",
        "remove",
        "sort",
        "reverse",
        "join",
        "format",
        "mean",
        "sum",
        "view",
        "reshape",
        "size",
        "to",
        "split",
        "chunk",
        "register_hook",
        "rotate",
        "pow",
    )
)
"""Methods that put nothing in."""

_PUTTING: Final = frozenset(
    (
        "heappush",
        "heapreplace",
        "heappushpop",
        "insort",
        "insort_left",
        "insort_right",
        "setitem",
        "iadd",
        "iconcat",
    )
)
"""Functions that put what they are given into their first argument."""

_HOPS: Final = 4
"""Other names by which one thing is followed."""

ATTRIBUTE: Final = -1
"""The scope of an attribute, whosever it is."""


@dataclass(frozen=True, slots=True)
class Place:
    """A variable, or every attribute of that name."""

    file: str
    """Empty for an attribute: it may be stored into anywhere."""
    scope: int
    name: str


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

    @property
    def code(self) -> str:
        """Its source in one line."""
        return code_of(self.file, self.node)

    @property
    def accumulates(self) -> bool:
        """Whether what was there before stays in it: an addition, or x = f(x)."""
        if self.how != "assign":
            return self.how != "bind"
        value = getattr(self.node, "value", None)
        return value is not None and self.target.partition("[")[0] in reads(value)


@dataclass(frozen=True, slots=True)
class _Passed:
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
    passed: dict[Place, list[_Passed]] = field(default_factory=lambda: defaultdict(list))
    functions: dict[str, list[Scope]] = field(default_factory=lambda: defaultdict(list))
    classes: set[str] = field(default_factory=set)


@lru_cache(maxsize=256)
def index(file: str) -> Index:
    """The statements of a file by what they store into."""
    found = Index()
    module = tree(file)
    if module is not None:
        _Indexer(file, found).run(module)
    return found


def variable(file: str, line: int, name: str) -> Place:
    """The place of a variable that is seen from the code that begins on that line."""
    scope = index(file).scopes.get(line)
    return Place(file, scope.home(name).line if scope else MODULE, name)


def function_at(file: str, line: int) -> int:
    """The first line of the innermost function around a line, as its code object tells it."""
    module = tree(file)
    nodes = ast.walk(module) if module is not None else ()
    functions = [n for n in nodes if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef)]
    around = [n for n in functions if n.lineno <= line <= (n.end_lineno or n.lineno)]
    return max((first_line(node) for node in around), default=MODULE)


def attribute(name: str) -> Place:
    """The place of an attribute."""
    return Place("", ATTRIBUTE, name)


def stores(places: Iterable[Place], files: Iterable[str]) -> list[Store]:
    """Every statement of the files that stores into one of the places, or under another name
    into what lies there; those of the places themselves first.
    """
    every = list(files)
    waiting = [(place, 0) for place in places]
    known: set[Place] = set()
    found: dict[tuple[str, int, int], Store] = {}
    while waiting:
        place, hops = waiting.pop(0)
        if place in known:
            continue
        known.add(place)
        for file in _mentioning(place, every):
            for store in index(file).puts.get(place, ()):
                if hops == 0 or store.how not in ("assign", "bind") or "[" in store.target:
                    found.setdefault((store.file, store.line, store.node.col_offset), store)
        if hops < _HOPS:
            waiting += [(other, hops + 1) for other in _elsewhere(place, every)]
    return list(found.values())


def known_places(places: Iterable[Place], files: Iterable[str]) -> set[Place]:
    """All places by which the things in these places are known."""
    every = list(files)
    waiting = [(place, 0) for place in places]
    known: set[Place] = set()
    while waiting:
        place, hops = waiting.pop()
        if place in known:
            continue
        known.add(place)
        if hops < _HOPS:
            waiting += [(other, hops + 1) for other in _elsewhere(place, every)]
    return known


def _elsewhere(place: Place, files: list[str]) -> Iterator[Place]:
    """Other places of what lies in one: assigned from there, or given to a function."""
    for file in _mentioning(place, files):
        known = index(file)
        yield from known.aliases.get(place, ())
        for passed in known.passed.get(place, ()):
            yield from _received(passed, files)


_TENSORS: Final = frozenset(
    ("item", "mean", "detach", "cpu", "numpy", "backward", "tolist", "max", "min", "sqrt", "div")
)
"""Methods that a number lacks."""

_MAKERS: Final = frozenset(("stack", "cat", "all_reduce", "reduce", "gather", "isnan", "isfinite"))
"""Functions of torch that take no number."""


def uses_of_tensor(file: str, name: str) -> bool:
    """Whether the file asks something of the name that only a tensor can answer."""
    module = tree(file)
    for node in ast.walk(module) if module is not None else ():
        asked: list[str] = []
        if isinstance(node, ast.Attribute) and node.attr in _TENSORS:
            asked = [dotted(base(node.value)) or ""]
        elif isinstance(node, ast.Call) and called(node) in _MAKERS:
            asked = [read for argument in node.args for read in reads(argument)]
        if any(read.rpartition(".")[2] == name for read in asked):
            return True
    return False


def _mentioning(place: Place, files: list[str]) -> Iterator[str]:
    """The files that may know of the place; only those are parsed."""
    if place.file:
        yield place.file
        return
    for file in files:
        if any(place.name in line for line in lines(file)):
            yield file


def _received(passed: _Passed, files: list[str]) -> Iterator[Place]:
    """The parameters by which functions of that name know the thing."""
    for file in files:
        if not any(passed.callee in line for line in lines(file)):
            continue
        known = index(file)
        makes = passed.callee in known.classes
        for scope in known.functions.get("__init__" if makes else passed.callee, ()):
            if makes and scope.owner != passed.callee:
                continue
            skip = int(makes or (passed.method and bool(scope.owner)))
            names = scope.parameters[skip:]
            if passed.keyword in names:
                yield Place(file, scope.line, str(passed.keyword))
            elif passed.keyword is None and passed.position < len(names):
                yield Place(file, scope.line, names[passed.position])


class _Indexer:
    """One walk over a file's tree."""

    def __init__(self, file: str, into: Index) -> None:
        self._file = file
        self._index = into
        self._scope = Scope(MODULE)
        self._owner = ""
        self._in_loop = False
        self._in_class_body = False
        self._statement: ast.stmt | None = None

    def run(self, module: ast.Module) -> None:
        self._index.scopes[MODULE] = self._scope
        self._inside(module.body)

    def _inside(self, nodes: Iterable[ast.AST]) -> None:
        for node in nodes:
            self._visit(node)

    def _visit(self, node: ast.AST) -> None:
        before = (self._scope, self._owner, self._in_loop, self._in_class_body, self._statement)
        if isinstance(node, ast.stmt):
            self._statement = node
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                owner = self._owner if self._in_class_body else ""
                self._scope = enter(node, self._scope, owner)
                self._index.scopes[self._scope.line] = self._scope
                self._index.functions[self._scope.name].append(self._scope)
                self._in_class_body = False
                if not isinstance(node, ast.Lambda):
                    self._in_loop = False
            case ast.ClassDef():
                self._index.classes.add(node.name)
                self._owner, self._in_class_body, self._in_loop = node.name, True, False
            case ast.For() | ast.AsyncFor() | ast.While():
                self._note(node)
                self._in_loop = True
            case ast.ListComp() | ast.SetComp() | ast.GeneratorExp() | ast.DictComp():
                self._in_loop = True
            case _:
                self._note(node)
        self._inside(ast.iter_child_nodes(node))
        self._scope, self._owner, self._in_loop, self._in_class_body, self._statement = before

    def _note(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value, "assign")
            case ast.AnnAssign(target=target, value=value) if value is not None:
                self._bind(target, value, "assign")
            case ast.AugAssign(target=target, value=value):
                self._put(target, "augment", [value])
            case ast.NamedExpr(target=target, value=value):
                self._bind(target, value, "bind")
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                self._bind(target, value, "bind")
            case ast.withitem(optional_vars=target, context_expr=value) if target is not None:
                self._bind(target, value, "bind")
            case ast.Call():
                self._call(node)

    def _bind(self, target: ast.expr, value: ast.expr, how: str) -> None:
        """An assignment: a store, and perhaps another name for what is known already."""
        if isinstance(target, ast.Tuple | ast.List):
            values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            same = len(values) == len(target.elts)
            for number, part in enumerate(target.elts):
                self._bind(part, values[number] if same else value, how)
            return
        self._put(target, how, [value])
        for source in _sources(value):
            old, new = self._place(source), self._place(target)
            if old is not None and new is not None and old != new:
                self._index.aliases[old].append(new)

    def _call(self, call: ast.Call) -> None:
        """What is called may keep its arguments, in itself or in one another."""
        name = called(call)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if name == "setattr" and len(call.args) == 3:
            self._set_attribute(call.args[0], call.args[1], call.args[2])
        if isinstance(call.func, ast.Attribute):
            if name in ("__setattr__", "register_buffer") and len(call.args) >= 2:
                self._set_attribute(call.func.value, call.args[-2], call.args[-1])
            if given and name not in _READING:
                self._put(call.func.value, name, given, certain=name in _ADDING)
        for position, argument in enumerate(call.args):
            self._given(call, argument, position, None)
        for keyword in call.keywords:
            self._given(call, keyword.value, 0, keyword.arg)
        if name in _PUTTING and len(call.args) > 1:
            self._put(call.args[0], name, call.args[1:])

    def _given(self, call: ast.Call, argument: ast.expr, position: int, word: str | None) -> None:
        place = self._place(argument)
        if place is not None:
            method = isinstance(call.func, ast.Attribute)
            self._index.passed[place].append(_Passed(called(call), position, word, method))

    def _set_attribute(self, owner: ast.expr, name: ast.expr, value: ast.expr) -> None:
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            target = ast.Attribute(value=owner, attr=name.value, ctx=ast.Store())
            self._put(target, "setattr", [value])

    def _put(
        self, target: ast.expr, how: str, values: list[ast.expr], *, certain: bool = True
    ) -> None:
        target = _through_dict(target)
        place = self._place(target)
        if place is None or self._statement is None:
            return
        node = self._statement
        self._index.puts[place].append(
            Store(
                file=self._file,
                line=node.lineno,
                end_line=node.end_lineno or node.lineno,
                node=node,
                function=self._scope.name,
                scope=self._scope.line,
                owner=self._owner,
                in_loop=self._in_loop,
                how=how,
                fresh=all(is_fresh(value, self._is_known_fresh) for value in values),
                certain=certain,
                own=(dotted(base(target)) or "").startswith("self."),
                key=_key(target),
                target=ast.unparse(target),
            )
        )

    def _is_known_fresh(self, name: str) -> bool:
        """Whether all that was stored in the variable so far carries no graph."""
        scope = self._scope.home(name)
        stored = self._index.puts.get(Place(self._file, scope.line, name), ())
        return bool(stored) and all(store.fresh and store.how == "assign" for store in stored)

    def _place(self, node: ast.expr) -> Place | None:
        """The variable or attribute that an expression stands for or lies in."""
        inner = base(node)
        if isinstance(inner, ast.Attribute):
            return attribute(inner.attr)
        if not isinstance(inner, ast.Name):
            return None
        if self._in_class_body and not isinstance(inner.ctx, ast.Load):
            return attribute(inner.id)  # a class's own variable
        return Place(self._file, self._scope.home(inner.id).line, inner.id)


def _sources(value: ast.expr) -> Iterator[ast.expr]:
    """The expressions of which the value may be the very thing."""
    match value:
        case ast.BoolOp(values=parts):
            yield from parts
        case ast.IfExp(body=body, orelse=other):
            yield body
            yield other
        case ast.Call(func=ast.Name(id="enumerate" | "zip" | "reversed" | "iter"), args=parts):
            yield from parts
        case _:
            yield value


def _through_dict(target: ast.expr) -> ast.expr:
    """`self.x` for `self.__dict__["x"]` and `vars(self)["x"]`."""
    match target:
        case ast.Subscript(
            value=ast.Attribute(value=owner, attr="__dict__")
            | ast.Call(func=ast.Name(id="vars"), args=[owner]),
            slice=ast.Constant(value=str(name)),
        ):
            return ast.Attribute(value=owner, attr=name, ctx=ast.Store())
    return target


def _key(target: ast.expr) -> str | None:
    """The constant key of the container's element that is stored into, the outermost."""
    inner: ast.expr | None = None
    while True:
        if isinstance(target, ast.Subscript):
            inner, target = target.slice, target.value
        elif (
            isinstance(target, ast.Call)
            and isinstance(target.func, ast.Attribute)
            and target.func.attr in ("setdefault", "get")
            and target.args
        ):
            inner, target = target.args[0], target.func.value
        else:
            return repr(inner.value) if isinstance(inner, ast.Constant) else None
