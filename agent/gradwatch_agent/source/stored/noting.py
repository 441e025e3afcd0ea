"""What the nodes of a file store, and by which other names things come to be known: by an
assignment, or as an argument of a function. Pure.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import dataclass

from gradwatch_agent.source.stored.freshness import Values
from gradwatch_agent.source.syntax.places import (
    ANY,
    Index,
    Passed,
    Place,
    Store,
    attribute,
    contents,
    result,
)
from gradwatch_agent.source.syntax.reading import base, called, dotted, is_empty, seen_in
from gradwatch_agent.source.syntax.scopes import Scope
from gradwatch_agent.source.syntax.targets import (
    dict_of,
    drawn_by,
    is_of_a_made_up_name,
    key_of,
    sources,
    through_dict,
    updated,
)
from gradwatch_agent.source.syntax.vocabulary import (
    ADDING,
    CALLING,
    NAMING,
    PUTTING,
    READING,
    VIEWING,
    works_in_place,
)


@dataclass(frozen=True, slots=True)
class Here:
    """Where a node stands."""

    scope: Scope
    owner: str = ""
    """The class around it."""
    in_class_body: bool = False
    in_loop: bool = False
    statement: ast.stmt | None = None


class Notes:
    """Of one file. `here` is where the node stands that is noted next."""

    def __init__(self, into: Index, here: Here) -> None:
        self._index = into
        self.here = here
        self.values: Values = defaultdict(list)
        """What each of the stores into a place stores, and where from."""

    def note(self, node: ast.AST) -> None:
        """What the node itself stores, not what stands within it."""
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
                self._bind_entered(target)
            case ast.Call():
                self._call(node)
            case ast.Return(value=value) | ast.Yield(value=value) if value is not None:
                self._hand_back(value)

    def _bind(
        self, target: ast.expr, value: ast.expr, how: str, drawn: ast.expr | None = None
    ) -> None:
        """An assignment: a store, and perhaps another name for what is known already. `drawn`: of
        what a loop goes through, the part that gives the target.
        """
        if isinstance(target, ast.Tuple | ast.List):
            values = value.elts if isinstance(value, ast.Tuple | ast.List) else []
            starred = any(isinstance(part, ast.Starred) for part in target.elts)
            pairs = how == "assign" and not starred  # a loop gives them one value after the other
            same = len(values) == len(target.elts) and pairs
            each = drawn_by(target, drawn or value) if how == "bind" else None
            for number, part in enumerate(target.elts):
                given = values[number] if same else value
                self._bind(part, given, how, each[number] if each is not None else drawn)
            return
        target = target.value if isinstance(target, ast.Starred) else target
        self._put(target, how, [value])
        for source in sources(drawn or value):
            self._name_anew(source, target, self._index.aliases)
            self._name_anew(seen_in(source), target, self._index.views)

    def _bind_entered(self, target: ast.expr) -> None:
        """What a context's `__enter__` hands back."""
        if (new := self._place(target)) is not None:
            self._index.aliases[result("__enter__")].append(new)

    def _hand_back(self, value: ast.expr) -> None:
        for place in map(self._place, sources(value)):
            if place is not None:
                self._index.aliases[place].append(result(self.here.scope.name))

    def _name_anew(
        self, source: ast.expr, target: ast.expr, known: dict[Place, list[Place]]
    ) -> None:
        old, new = self._place(source), self._place(target)
        if old is not None and new is not None and old != new:
            known[old].append(new)
            if isinstance(source, ast.Name) and self._is_a_new_container(old):  # filled later
                known[new].append(old)

    def _is_a_new_container(self, place: Place) -> bool:
        """Whether a variable is given one that is made here."""
        given = (value for values, _ in self.values.get(place, ()) for value in values)
        return bool(place.file) and any(
            is_empty(value) or isinstance(value, ast.Dict | ast.List | ast.Set) for value in given
        )

    def _call(self, call: ast.Call) -> None:
        """What is called may keep its arguments, in itself or in one another."""
        name = called(call)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        if name == "setattr" and len(call.args) == 3:
            self._set_attribute(call.args[0], call.args[1], call.args[2])
        for target, value in updated(call):
            self._put(target, name, [value])
        if isinstance(call.func, ast.Attribute):
            if name in NAMING and len(call.args) >= 2:
                self._set_attribute(call.func.value, call.args[-2], call.args[-1])
            if given and name not in READING:
                kept = given[1:] if _makes_what_is_missing(call) else given
                certain = name in ADDING or works_in_place(name)
                self._put(_changed_first(call.func.value), name, kept, certain=certain)
        for position, argument in enumerate(call.args):
            self._given(call, argument, position, None)
        for keyword in call.keywords:
            self._given(call, keyword.value, 0, keyword.arg)
        if name in PUTTING and len(call.args) > 1:
            self._put(call.args[0], name, call.args[1:])

    def _given(self, call: ast.Call, argument: ast.expr, position: int, word: str | None) -> None:
        place = self._place(argument)
        seen = self._place(seen_in(argument))
        if place is None and seen is not None:  # a view of it: `self.draw(out.detach()[0])`
            passed = Passed(called(call), position, word, isinstance(call.func, ast.Attribute))
            self._index.shown[seen].append(passed)
        if place is not None:
            method = isinstance(call.func, ast.Attribute)
            if position and called(call) in CALLING and (later := dotted(call.args[0])):
                name = later.rpartition(".")[2]
                self._index.passed[place].append(Passed(name, position - 1, word, "." in later))
            self._index.passed[place].append(Passed(called(call), position, word, method))

    def _set_attribute(self, owner: ast.expr, name: ast.expr, value: ast.expr) -> None:
        if not isinstance(name, ast.Constant):
            self._put(owner, "setattr", [value])
            self.add(ANY, owner, "setattr", [value])
            known = self._place(value) if isinstance(value, ast.Name) else None
            if known is not None and self._is_a_new_container(known):
                self._index.aliases[ANY].append(known)
        elif isinstance(name.value, str):
            target = ast.Attribute(value=owner, attr=name.value, ctx=ast.Store())
            self._put(target, "setattr", [value])

    def _put(
        self, target: ast.expr, how: str, values: list[ast.expr], *, certain: bool = True
    ) -> None:
        if dict_of(target) is not None and not is_of_a_made_up_name(target):
            self.add(ANY, target, how, values)
        target = through_dict(target)
        place = self._place(target) or self._place_of_view(target, how)
        if place is not None and self.here.statement is not None:
            self.add(place, target, how, values, certain=certain)
        into = how in ADDING or isinstance(target, ast.Subscript)
        if self.here.owner and into and _is_itself(target):
            self.add(contents(self.here.owner), target, how, values, certain=certain)

    def _place_of_view(self, target: ast.expr, how: str) -> Place | None:
        """Of what it is a view of, where it is written to: `state.view(-1, 8)[rows] = new`."""
        written = isinstance(target, ast.Subscript) or works_in_place(how)
        whole = seen_in(target) if written and not _is_without_graph(target) else target
        return self._place(whole) if whole is not target else None

    def add(
        self,
        place: Place,
        target: ast.expr,
        how: str,
        values: list[ast.expr],
        *,
        certain: bool = True,
    ) -> None:
        """The statement here stores the values into the place, which it spells as the target."""
        node = self.here.statement
        if node is None:
            return
        self.values[place].append((values, self.here.scope))
        self._index.puts[place].append(
            Store(
                file=self.here.scope.file,
                line=node.lineno,
                end_line=node.end_lineno or node.lineno,
                node=node,
                function=self.here.scope.name,
                scope=self.here.scope.line,
                owner=self.here.owner,
                in_loop=self.here.in_loop,
                how=how,
                fresh=False,
                certain=certain,
                own=re.fullmatch(r"self\.\w+", dotted(base(target)) or "") is not None,
                key=key_of(target),
                target=ast.unparse(target),
            )
        )

    def _place(self, node: ast.expr) -> Place | None:
        """The variable or attribute that an expression stands for or lies in."""
        inner = base(node)
        if is_of_a_made_up_name(inner) or is_of_a_made_up_name(node):
            return ANY
        if isinstance(inner, ast.Attribute):
            return attribute(inner.attr)
        if isinstance(inner, ast.Call) and (name := called(inner)) not in VIEWING:
            return result(name) if name else None
        if not isinstance(inner, ast.Name):
            return None
        if self.here.in_class_body and not isinstance(inner.ctx, ast.Load):
            return attribute(inner.id)  # a class's own variable
        return Place(self.here.scope.file, self.here.scope.home(inner.id).line, inner.id)


def _changed_first(whole: ast.expr) -> ast.expr:
    """What `x.mul_(0.9).add_(y)` changes: each call hands back what it is called on."""
    while (
        isinstance(whole, ast.Call)
        and isinstance(whole.func, ast.Attribute)
        and works_in_place(whole.func.attr)
    ):
        whole = whole.func.value
    return whole


def _is_without_graph(view: ast.expr) -> bool:
    """Whether what is written there comes without its graph: `state.detach().view(-1)`."""
    names = {n.attr for n in ast.walk(view) if isinstance(n, ast.Attribute)}
    return not names.isdisjoint(("detach", "data", "numpy"))


def _makes_what_is_missing(call: ast.Call) -> bool:
    """`rows.setdefault(key, [])`: the key says where; it is not what is kept."""
    match call:
        case ast.Call(func=ast.Attribute(attr="setdefault"), args=[_, made]):
            return isinstance(made, ast.List | ast.Dict | ast.Set | ast.Call)
    return False


def _is_itself(node: ast.expr) -> bool:
    """`self[key]`, `self`, `super()`, `self.setdefault(key, [])`."""
    match base(node):
        case ast.Name(id="self") | ast.Call(func=ast.Name(id="super")):
            return True
    return False
