"""Which of two losses that need the same graph is to let go of it, and in which statement. Pure but
for reading.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Collection, Iterable, Iterator
from typing import Final

from gradwatch_agent.advice.letting_go import let_go
from gradwatch_agent.advice.rewriting import detached, name_detached, replaced
from gradwatch_agent.diagnosis.place.answering import answer_for
from gradwatch_agent.diagnosis.place.at_line import at
from gradwatch_agent.diagnosis.place.known import Known
from gradwatch_agent.diagnosis.place.stored import store_of
from gradwatch_agent.diagnosis.second_backward.freed import Shared
from gradwatch_agent.diagnosis.second_backward.spelling import called_there, spelled
from gradwatch_agent.diagnosis.second_backward.unnamed import cut_by_a_part, cut_by_its_variable
from gradwatch_agent.graph.passes import Earlier
from gradwatch_agent.kept.repeating import BY_ITS_OBJECT
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.flow.bindings import is_own
from gradwatch_agent.source.flow.callers import callers
from gradwatch_agent.source.flow.calls import only_call
from gradwatch_agent.source.flow.giving import callees, given_as
from gradwatch_agent.source.syntax.reading import called, reads, reads_closely
from gradwatch_agent.source.syntax.statements import (
    body_around,
    functions_named,
    parameters_of,
    statements_of,
)
from gradwatch_agent.source.syntax.text import statement_at
from gradwatch_agent.source.syntax.vocabulary import WALKING
from gradwatch_agent.verdicts.case import Answer


def cut_in_the_first(path: Path, earlier: Earlier, beside: Collection[Path] = ()) -> Answer | None:
    """The first loss needs no graph there, nor of what is shared `beside`: in the statement ahead
    of its backward that reads it.
    """
    site = earlier.site
    for call in reversed(earlier.lines):
        if (found := _without(path, call, exactly=call is site)) is not None:
            statement, code = found
            where = Site(call.file, statement.lineno, call.function)
            code = _also(code, (spelled(each, statement) for each in beside))
            return needs_none(path, *(_taken_over(path, statement, beside) or (where, code)))
        own = statement_at(call.file, call.line, calling=WALKING)
        if own is not None and path.expression in reads_closely(own):  # handed over right there
            if (taken := _taken_over(path, own, beside)) is not None:
                return needs_none(path, *taken)
            break
    return None


def reads_more(cut: Answer, path: Path) -> bool:
    """Whether the statement, which is to read what `path` leads to without its graph, makes its
    loss of something else as well: else there would be nothing left to walk.
    """
    body = body_around(cut.file or "", cut.line or 0)
    match statement_at(cut.file or "", cut.line or 0):
        case ast.Assign(targets=[ast.Name()], value=value) if body is not None:
            read = reads(value)
            return path.name in read and any(is_own(body, n) for n in read if n != path.name)
    return False


def needs_none(path: Path, site: Site, code: str) -> Answer:
    """Of the loss that is walked first, how the statement is to read it."""
    advice = f"Let this loss not reach the graph that the next one needs: `{code}`."
    return at(site, advice, path.expression)


def _also(code: str, names: Iterable[str | None]) -> str:
    """The statement with these detached, too, where it reads them."""
    with contextlib.suppress(SyntaxError):  # the head of a block alone
        for name in names:
            new = name_detached(ast.parse(code).body[0], name) if name is not None else None
            code = code if new is None or f"{name}.detach()" in code else new
    return code


def _taken_over(
    path: Path, statement: ast.stmt, beside: Collection[Path]
) -> tuple[Site, str] | None:
    """The statement that reads it in the function which it is handed to there and nowhere else, and
    which makes the loss; and how that is to be changed.
    """
    for call in (node for node in ast.walk(statement) if isinstance(node, ast.Call)):
        found = callees(call, own_files())
        if len(found) == 1 and only_call(found[0][1], own_files()) is not None:
            [(file, function)] = found
            for name in given_as(path.expression, call, function):
                for reading in statements_of(file, function.body[0].lineno):
                    code = name_detached(reading, name) if name in reads_closely(reading) else None
                    if code is not None:
                        others = (n for o in beside for n in given_as(o.expression, call, function))
                        return Site(file, reading.lineno, function.name), _also(code, others)
    return None


def _without(path: Path, call: Site, *, exactly: bool) -> tuple[ast.stmt, str] | None:
    """The statement ahead of the call that is to be changed, and how."""
    if (found := _reading(path, call, exactly=exactly)) is not None:
        code = name_detached(*found)
        return (found[0], code) if code is not None else None
    return _handing_back(path, call)


def _reading(path: Path, call: Site, *, exactly: bool) -> tuple[ast.stmt, str] | None:
    """The last statement ahead of the call that reads what the path leads to, and how it is called
    there: `exactly` as by the path, or by another object's name. One that the loss is made by, if
    there is such a one: what is ahead of both backwards may make the other loss.
    """
    ahead = [each for each in statements_of(call.file, call.line) if each.lineno < call.line]
    for statement in (*making(call, ahead), *reversed(ahead)):
        if exactly and path.expression in reads_closely(statement):
            return statement, path.expression
        if not exactly and (name := spelled(path, statement)) is not None:
            return statement, name
    return None


def _handing_back(path: Path, call: Site) -> tuple[ast.stmt, str] | None:
    """The statement ahead of the call by which the loss is made of what a function hands back that
    keeps it as the attribute, too, or has it from there: `fake = self.forger.days(n)`.
    """
    ahead = [each for each in statements_of(call.file, call.line) if each.lineno < call.line]
    for statement in making(call, ahead) if path.attribute else ():
        value = getattr(statement, "value", None)
        for part in ast.walk(value or ast.Pass()):
            whole = part is value  # without its graph, what is made of it would be no loss
            if isinstance(part, ast.Call) and _hands_back(called(part), path.name, exactly=whole):
                return statement, replaced(statement, part, detached(part))
    return None


def _hands_back(function: str, attribute: str, *, exactly: bool) -> bool:
    """Whether a function of that name returns the attribute of something; or, if not `exactly`,
    what is made of it.
    """
    every = functions_named(function, own_files())
    values = [n.value for _, each in every for n in ast.walk(each) if isinstance(n, ast.Return)]
    parts = values if exactly else [part for v in values if v is not None for part in ast.walk(v)]
    return any(isinstance(part, ast.Attribute) and part.attr == attribute for part in parts)


def making(call: Site, ahead: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements by which is made what the call's line reads, the last ones first."""
    last = statement_at(call.file, call.line, calling=WALKING)
    wanted = set(reads_closely(last)) if last is not None else set()
    for statement in reversed(ahead):
        made = {ast.unparse(node) for node in ast.walk(statement) if _is_stored(node)}
        if not made.isdisjoint(wanted):
            wanted.update(reads_closely(statement))
            yield statement


def _is_stored(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Store)


_NOT_REACHED: Final = "Let this loss not reach what is trained already"


def cut_in_the_second(
    top: Shared, path: Path | None, now: Site, beside: Collection[Path] = ()
) -> Answer:
    """The second loss needs no graph there, nor of what is shared `beside`: those weights have been
    stepped already.
    """
    holder = path.expression if path is not None else None
    site = top.used[0] if top.used else now
    if path is None:
        if (part := cut_by_a_part(top) or cut_by_its_variable(top, now)) is not None:
            return at(part[0], f"{_NOT_REACHED}: `{part[1]}`.", holder)
        return at(site, "Detach what this loss reads of the other one's graph.", holder)

    # The function that walks it makes this loss alone, whoever calls it.
    ahead = (each for each in top.used if (each.file, each.function) != (now.file, now.function))
    others = set(filter(serves_others, ahead))
    for each in sorted(top.used, key=lambda each: (_is_but_one(each, path, now), each in others)):
        statement = statement_at(each.file, each.line)
        code = _let_go(path, statement, each.file) if statement is not None else None
        if statement is not None and code is not None and each not in others:
            code = _also(code, (called_there(one, statement, each.file) for one in beside))
            return _not_reached(code, Site(each.file, statement.lineno, each.function), path)
    if not top.used and (answer := _by_the_source(path, now)) is not None:
        return answer
    site = next((each for each in top.used if each not in others), site)
    if path.index and (stored := answer_for(Known(path.holder, path), let_go)).line is not None:
        return stored  # it was put by for others: what takes it out may know it by any name
    if not path.index and (onward := _where_it_goes_on(path)) is not None:
        return onward
    return at(site, f"Let this loss read `{path.expression}.detach()`.", holder)


def _where_it_goes_on(path: Path) -> Answer | None:
    """Of what an object keeps from one call to the next, the statement that makes it of what it
    was, or else stores it: whoever calls the object says nothing of it.
    """
    store = store_of(path) if path.attribute else None
    if store is None or not store.own or store.how != "assign":
        return None
    if store.target in reads_closely(store.node):
        code = name_detached(store.node, store.target)
    else:
        code = _let_go(path, store.node, store.file)
    if code is None:
        return None
    return _not_reached(code, Site(store.file, store.line, store.function), path)


def serves_others(site: Site) -> bool:
    """Whether its function is called from elsewhere, too: the other loss may be made by it; as may
    a module's, which goes by the names of its objects.
    """
    if site.function in BY_ITS_OBJECT:
        return True
    calls = callers(site.file, site.line, own_files())
    return len({(at, call.lineno) for at, call in calls}) > 1


def _is_but_one(site: Site, path: Path, now: Site) -> bool:
    """Whether its function is given the thing and reads it more than once, or, where it walks the
    loss itself, in other statements, too: each would have to do without the graph.
    """
    body, own = body_around(site.file, site.line), statement_at(site.file, site.line)
    name = spelled(path, own) if own is not None else None
    if isinstance(body, ast.Module | None) or name not in {a.arg for a in parameters_of(body)}:
        return False
    if (site.file, site.function) == (now.file, now.function):
        every = statements_of(site.file, body.body[0].lineno)
        return sum(name in reads_closely(each) for each in every) > 1
    read = (node for node in ast.walk(body) if isinstance(node, ast.Name) and node.id == name)
    return sum(isinstance(node.ctx, ast.Load) for node in read) > 1


def _by_the_source(path: Path, now: Site) -> Answer | None:
    """Where no lines are noted: the statement ahead that reads it, or the one that stores it."""
    found = _reading(path, now, exactly=True)
    if found is not None and (code := name_detached(*found)) is not None:
        return _not_reached(code, Site(now.file, found[0].lineno, now.function), path)
    store = store_of(path) if path.attribute else None
    if store is not None and (code := _let_go(path, store.node, store.file)) is not None:
        return _not_reached(code, Site(store.file, store.line, store.function), path)
    return None


def _let_go(path: Path, statement: ast.stmt, file: str) -> str | None:
    """The statement, reading the thing detached, or storing it so."""
    name = called_there(path, statement, file)
    if name is not None:
        return name_detached(statement, name)
    match statement:
        case ast.Assign(targets=[ast.Attribute(attr=last) | ast.Name(id=last)], value=value):
            stored = last == (path.field or path.name)
            return replaced(statement, value, detached(value)) if stored else None
    return None


def _not_reached(code: str, site: Site, path: Path) -> Answer:
    return at(site, f"{_NOT_REACHED}: `{code}`.", path.expression)
