"""The statement that cuts half of a state: `State(self.hidden.detach(), self.cell)`, or
`return hidden.detach(), cell`, or `self.keep(self.hidden.detach(), self.cell)`.

Who writes so means to end the graph there, and misses a part of it.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Iterator

from gradwatch_agent.advice.rewriting import detached, is_bare, parsed, replaced
from gradwatch_agent.advice.stored import stored
from gradwatch_agent.advice.whole import each_cut
from gradwatch_agent.diagnosis.place.stored import candidates
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.gradients.cut import CHANGING, cuts_a_part, is_cut
from gradwatch_agent.source.stored.fields import fields_of
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import called, last_name, speaks_of
from gradwatch_agent.source.syntax.statements import (
    Function,
    body_around,
    functions_named,
    parameters_of,
    statements_of,
)
from gradwatch_agent.source.syntax.text import code_of, mentions, nodes
from gradwatch_agent.verdicts.case import Answer


def half_cut(path: Path) -> Answer:
    """Of the record that the path ends in a field of; nothing if no statement, or more than one,
    cuts its other fields alone.
    """
    kind, field, fields = _field(path)
    found = [
        (file, statement, left)
        for file, call in _makings(kind)
        for statement in statements_of(file, call.lineno)
        if call in ast.walk(statement) and (left := _left(call, field, fields)) is not None
    ]
    found = found or list(_handed_back(path)) or list(_handed_over(path))
    if len(found) != 1:
        return Answer()
    file, statement, (old, new) = found[0]
    new = _of_all_in_it(new, path)
    suggestion = f"Detach this part too: `{replaced(statement, old, new)}`."
    return Answer(file, statement.lineno, code_of(file, statement), suggestion=suggestion)


def _of_all_in_it(cut: ast.expr, path: Path) -> ast.expr:
    """Of a part that is a list or a dict, what lies in it: that itself has nothing to detach."""
    whole, code = path.parent, ast.unparse(cut)
    if whole is None or not path.index or not whole.attribute:
        return cut
    for node in ast.walk(cut):
        match node:
            case ast.Attribute(value=part, attr="detach") if last_name(part) == whole.name:
                name = ast.unparse(part)
                each = each_cut(name, (whole.kind,), 0, "{}.detach()".format)
                code = code.replace(f"{name}.detach()", each)
    return parsed(code)


def _handed_back(path: Path) -> Iterator[tuple[str, ast.stmt, tuple[ast.expr, ast.expr]]]:
    """Of an element of a tuple: where a function that makes such a tuple for it,
    `self.state = cut(state)`, or a list of such, hands back the other ones detached and this one as
    it is.
    """
    whole, place = path.parent, path.label.strip("[]")
    if whole is None or whole.container != "tuple" or not place.isdigit():
        return
    around = itertools.takewhile(lambda step: step.label[:1] == "[", whole.back())
    stored = [s for step in (whole, *(e.parent for e in around)) if step for s in candidates(step)]
    yield from _cut_on_the_spot(stored, int(place))
    whole_ones = (store.node for store in stored if not _takes_apart(store.node))
    values = (getattr(node, "value", None) for node in whole_ones)
    names = {called(value) for value in values if isinstance(value, ast.Call)}
    functions = [each for name in sorted(names) for each in functions_named(name, own_files())]
    for file, function in functions:
        given = _given_in(function)
        for node, parts in _tuples_in(function):
            every = [given.get(ast.unparse(part), part) for part in parts]
            left = next(iter(every[int(place) :]), None)
            if any(map(_is_cut, every)) and left is not None and not is_cut(left):
                yield file, node, (parts[int(place)], detached(parts[int(place)]))


def _takes_apart(statement: ast.AST) -> bool:
    """`metric, state = step(batch)`: what the call makes is another tuple than what it stores."""
    targets = getattr(statement, "targets", [])
    return any(isinstance(target, ast.Tuple | ast.List) for target in targets)


def _tuples_in(function: ast.AST) -> Iterator[tuple[ast.Return, list[ast.expr]]]:
    """The elements of those that it returns, or returns many of."""
    for node in ast.walk(function):
        value = node.value if isinstance(node, ast.Return) else None
        if isinstance(value, ast.Call) and called(value) in ("list", "tuple") and value.args:
            value = value.args[0]
        if isinstance(value, ast.ListComp | ast.GeneratorExp):
            value = value.elt
        if isinstance(node, ast.Return) and isinstance(value, ast.Tuple):
            yield node, value.elts


def _given_in(function: ast.AST) -> dict[str, ast.expr]:
    """What the function's variables were given last."""
    given = (node for node in ast.walk(function) if isinstance(node, ast.Assign))
    return {ast.unparse(target): each.value for each in given for target in each.targets}


def _cut_on_the_spot(
    stored: list[Store], place: int
) -> Iterator[tuple[str, ast.stmt, tuple[ast.expr, ast.expr]]]:
    """`state = (state[0].detach(), state[1])`."""
    for store in stored:
        value = getattr(store.node, "value", None)
        if isinstance(value, ast.Tuple | ast.List) and cuts_a_part(store.node):
            part = next(iter(value.elts[place:]), None)
            if part is not None and not is_cut(part):
                yield store.file, store.node, (part, detached(part))


def _handed_over(path: Path) -> Iterator[tuple[str, ast.stmt, tuple[ast.expr, ast.expr]]]:
    """Of an attribute that a method is given with others, `self.keep(self.h.detach(), self.c)`:
    where the others are handed over detached and this one as it is.
    """
    for store in candidates(path) if path.attribute else ():
        body, value = body_around(store.file, store.line), stored(store)
        if not isinstance(body, Function) or not isinstance(value, ast.Name):
            continue
        taken = tuple(each.arg for each in parameters_of(body)[bool(store.owner) :])
        for file, call in calls_of(body.name, own_files()) if value.id in taken else ():
            if (left := _left(call, value.id, taken)) is None:
                continue
            for statement in statements_of(file, call.lineno):
                if call in ast.walk(statement):
                    yield file, statement, left


def _field(path: Path) -> tuple[str, str, tuple[str, ...]]:
    """Whose field it is, its name, and all that are known, in the order of the arguments."""
    before = path.parent
    if before is not None and before.fields and path.label:
        return before.container, before.fields[int(path.label[1:-1])], before.fields
    kind = path.owners[0] if path.attribute and path.owners else ""
    return kind, path.name, fields_of(kind, own_files())


def _makings(kind: str) -> Iterator[tuple[str, ast.Call]]:
    """The calls that may make such a record."""
    for file in own_files() if kind else ():
        for node in nodes(file) if mentions(file, kind) else ():
            if isinstance(node, ast.Call) and called(node) in (kind, *CHANGING):
                yield file, node


def _left(call: ast.Call, field: str, fields: tuple[str, ...]) -> tuple[ast.expr, ast.expr] | None:
    """What is to be replaced, and by what, if the field is not detached, but something else is."""
    given = {keyword.arg or "": keyword.value for keyword in call.keywords}
    value, changing = given.get(field), called(call) in CHANGING
    if value is None and changing:
        return _left_as_it_was(call, field, fields, given)
    if changing and not given.keys() <= set(fields):
        return None
    place = fields.index(field) if field in fields else len(call.args)
    if value is None and place < len(call.args):
        value = call.args[place]
    if not isinstance(value, ast.Name | ast.Attribute):
        return None
    others = [each for each in (*call.args, *given.values()) if each is not value]
    return (value, detached(value)) if any(map(_is_cut, others)) else None


def _left_as_it_was(
    call: ast.Call, field: str, fields: tuple[str, ...], given: dict[str, ast.expr]
) -> tuple[ast.expr, ast.expr] | None:
    """Of `replace(self, hidden=self.hidden.detach())`: the call, with the field given as well."""
    record = call.func.value if isinstance(call.func, ast.Attribute) and not call.args else None
    record = call.args[0] if record is None and call.args else record
    names = {field, *given}
    if not is_bare(record) or len(names) != len(given) + 1 or not names.issubset(fields):
        return None
    if record is None or not given or not all(map(_is_cut, given.values())):
        return None
    part = detached(ast.Attribute(record, field, ast.Load()))
    more = ast.keyword(field, part)
    return call, ast.Call(call.func, call.args, [*call.keywords, more])


def _is_cut(value: ast.expr) -> bool:
    """Whether it is detached as a whole: `v * (1 - z.detach())` is not."""
    return is_cut(value) and speaks_of(ast.Expr(value), "detach")
