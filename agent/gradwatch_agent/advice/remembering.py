"""Whether what is stored is remembered: asked for later, and not computed again. Pure but for
reading.
"""

from __future__ import annotations

import ast
from collections.abc import Collection

from gradwatch_agent.advice.rewriting import parsed
from gradwatch_agent.kept.guards import is_guarded
from gradwatch_agent.source.flow.beginning import is_beginning
from gradwatch_agent.source.flow.callers import callers
from gradwatch_agent.source.flow.conditions import conditions
from gradwatch_agent.source.flow.loops import loops_at
from gradwatch_agent.source.stored.caches import cache_made
from gradwatch_agent.source.stored.stores import Store, variable
from gradwatch_agent.source.syntax.reading import base
from gradwatch_agent.source.syntax.scopes import first_line
from gradwatch_agent.source.syntax.statements import (
    Body,
    Function,
    body_around,
    functions_of,
)
from gradwatch_agent.source.syntax.targets import is_of_a_made_up_name

DESCRIBING = "__get__"
"""The method of a property made by hand."""


def is_remembered(store: Store) -> bool:
    """Whether it fills a cache made by hand: under a key that is not there yet, or an attribute
    that is None yet; a dict's `__missing__`, and a descriptor's `__get__`, are asked for nothing
    else.
    """
    if cache_made(store.node) is not None or _hands_it_back(store):
        return True
    if store.function in ("__missing__", DESCRIBING) and "[" in store.target:
        return True
    if store.how != "assign" or "[" not in store.target:
        lasts = "." in store.target or _is_of_others_too(store)
        return store.how == "assign" and lasts and is_beginning(store)
    if store.accumulates:  # what is there goes on: an average
        return False
    return store.key is None and is_guarded(store.file, store.line)


def _hands_it_back(store: Store) -> bool:
    """Whether the function hands back what it has put there: `return self.kept[key]`, `return
    getattr(self, name)`, `return kept.setdefault(key, made)`.
    """
    if not store.target:
        return False
    made_up = is_of_a_made_up_attribute(store)
    by_key = store.how == "setdefault" or (store.how == "assign" and "[" in store.target)
    body = body_around(store.file, store.line)
    if body is None or not (made_up or by_key) or store.fresh:
        return False
    if store.how == "assign" and store.accumulates:  # a state, which goes on from itself
        return False
    if isinstance(store.node, ast.Return):
        return store.how == "setdefault"
    put_in = base(parsed(store.target))
    for node in ast.walk(body):
        value = node.value if isinstance(node, ast.Return) else None
        if made_up and value is not None and is_of_a_made_up_name(value):
            return True
        if isinstance(value, ast.Subscript) and ast.dump(base(value)) == ast.dump(put_in):
            return by_key
    return False


def is_of_a_made_up_attribute(store: Store) -> bool:
    """Whether it gives an attribute something whose name is known at run time alone."""
    target = parsed(store.target) if store.target else None
    return store.how == "setattr" or (target is not None and is_of_a_made_up_name(target))


def _is_of_others_too(store: Store) -> bool:
    """Whether it is no variable of the function's own: `global table`."""
    body = body_around(store.file, store.line)
    said = (n for n in ast.walk(body) if isinstance(n, ast.Global | ast.Nonlocal)) if body else ()
    return any(store.target in each.names for each in said)


def made_within(store: Store) -> Function | None:
    """The function that makes the cache and hands out the one that fills it: from elsewhere nobody
    has it by a name.
    """
    name, around = store.target.partition("[")[0], body_around(store.file, store.line)
    if not name.isidentifier() or around is None or isinstance(around, ast.Module):
        return None
    home = variable(store.file, first_line(around), name).scope
    for maker in functions_of(store.file):
        if first_line(maker) == home:
            handed = (node.value for node in ast.walk(maker) if isinstance(node, ast.Return))
            return maker if around.name in {getattr(each, "id", "") for each in handed} else None
    return None


def used_as(maker: Function, files: Collection[str]) -> str:
    """`@memoize`, where functions are decorated so; else a call of it."""
    decorators = (each for f in files for one in functions_of(f) for each in one.decorator_list)
    used = {ast.unparse(d) for d in decorators if ast.unparse(d).partition("(")[0] == maker.name}
    return f"`@{used.pop()}`" if len(used) == 1 else f"`{maker.name}(...)`"


def is_refreshed(store: Store, files: Collection[str]) -> bool:
    """Whether it is made anew every so many iterations, and not of what it was: a cache, and no
    state.
    """
    body = body_around(store.file, store.line)
    if store.how not in ("assign", "update") or body is None:
        return False
    if not _is_now_and_then(body, store, files):
        return False
    waiting, seen = [store.node], {store.node}
    for statement in waiting:
        value = getattr(statement, "value", statement)
        given = [word.value for word in value.keywords] if isinstance(value, ast.Call) else []
        whole = store.how == "assign" or statement is not store.node
        parts = [value] if whole else given  # of `cache.update(value=...)` no more is read
        read = {ast.unparse(part) for each in parts for part in ast.walk(each)}
        if store.target in read:
            return False
        assigned = [n for n in ast.walk(body) if isinstance(n, ast.Assign) and n not in seen]
        made = [n for n in assigned if not read.isdisjoint(map(ast.unparse, n.targets))]
        waiting += made
        seen.update(made)
    return True


def _is_now_and_then(body: Body, store: Store, files: Collection[str]) -> bool:
    """Whether it is come to every so many steps: so its function says, or whoever calls that."""
    if _is_counted(body, store.file, store.line):
        return True
    calls = [(at, call.lineno) for at, call in callers(store.file, store.line, files)]
    around = [(each, at, line) for at, line in calls if (each := body_around(at, line)) is not None]
    rounds = [each for each in around if loops_at(each[0], each[2])]  # the others are ahead of it
    return bool(rounds) and all(_is_counted(*each) for each in rounds)


def _is_counted(body: Body, file: str, line: int) -> bool:
    """Whether the line is come to if `step % n == 0`, `step - last >= n` or `task != last`, asked
    there or ahead: `due = step % n == 0`.
    """
    tests = [test for test, _ in conditions(file, line)]
    asked = {part.id for test in tests for part in ast.walk(test) if isinstance(part, ast.Name)}
    made = [node for node in ast.walk(body) if isinstance(node, ast.Assign)]
    tests += [each.value for each in made if not asked.isdisjoint(map(ast.unparse, each.targets))]
    return any(
        _counts(part) or _sees_a_change(part, made) for test in tests for part in ast.walk(test)
    )


def _sees_a_change(part: ast.AST, made: list[ast.Assign]) -> bool:
    """Whether it asks if something is another than it was: `task != last`, with `last = task`."""
    match part:
        case ast.Compare(left=left, ops=[ast.NotEq()], comparators=[right]):
            sides = {ast.unparse(left), ast.unparse(right)}
            return any(
                {ast.unparse(each.value), *map(ast.unparse, each.targets)} == sides for each in made
            )
    return False


def _counts(part: ast.AST) -> bool:
    match part:
        case ast.Mod():
            return True
        case ast.Compare(left=ast.BinOp(op=ast.Sub()), ops=[ast.Gt() | ast.GtE()]):
            return True
    return False
