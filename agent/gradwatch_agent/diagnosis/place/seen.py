"""Which of the statements that may have stored a thing were seen to, as the line tells."""

from __future__ import annotations

import ast
from collections.abc import Callable

from gradwatch_agent.diagnosis.place.stored import is_on
from gradwatch_agent.lines.sites import Site
from gradwatch_agent.naming import Path, own_files
from gradwatch_agent.source.gradients.changing import changes
from gradwatch_agent.source.gradients.cut import fails_to_cut, goes_on_with_cut, merely_copies
from gradwatch_agent.source.stored.stores import Store, targets_at
from gradwatch_agent.source.syntax.statements import function_at, is_in_custom_forward
from gradwatch_agent.source.syntax.text import statement_at

Seen = Callable[[Path], tuple[Site, ...]]
"""The lines that were seen to store into what a name stands for; none where nobody looked."""


def nothing(_: Path) -> tuple[Site, ...]:
    """Nobody looked."""
    return ()


def tells(site: Site, found: list[Store]) -> bool:
    """Whether what was seen in that line was done by it. In one that waits others run; a head of
    several statements does nothing but begin and end.
    """
    if any(is_on(store, (site,)) for store in found):
        return True
    statement = statement_at(site.file, site.line)
    if isinstance(statement, ast.With | ast.AsyncWith):
        return False
    if isinstance(statement, ast.For | ast.AsyncFor) and any(store.adds for store in found):
        return False  # the next round began
    nodes = ast.walk(statement) if isinstance(statement, ast.Expr | ast.Return | ast.Assign) else ()
    return not any(isinstance(node, ast.Await) for node in nodes)


def hands_back(site: Site) -> bool:
    """Whether the statement of the line does."""
    return isinstance(statement_at(site.file, site.line), ast.Return)


def among(found: list[Store], seen: tuple[Site, ...]) -> list[Store]:
    """Of the statements that may have stored, those that were seen to; all where none was seen.

    Where a graph was seen to appear is not always where it was stored; nor is it that statement's
    fault where another one is meant to end the graph, and fails.
    """
    if failing := [store for store in found if _fails_to_cut(store)]:
        return failing
    late = [store for store in found if is_in_custom_forward(store.file, store.line)]
    told = [store for store in found if store.certain or not isinstance(store.node, ast.Return)]
    likely = ([store for store in told if is_on(store, seen)] or late) if seen else found
    adding = (each for store in likely for each in _that_add(store, found))
    return list({id(each): each for each in adding}.values())


def _that_add(store: Store, found: list[Store]) -> list[Store]:
    """The statement; or, where what it adds has no graph, those of the same function by which the
    same thing goes on with what has one: it merely hands on what they have put there.
    """
    own = [each for each in found if (each.function, each.target) == (store.function, store.target)]
    adding = [each for each in own if each.goes_on and not goes_on_with_cut(each)]
    return adding if adding and goes_on_with_cut(store) else [store]


def _fails_to_cut(store: Store) -> bool:
    """Whether it is meant to end the graph, and fails: not a copy that is made to be changed."""
    if not merely_copies(store.node):
        return fails_to_cut(store.node, own_files())
    file, copied = store.file, targets_at(store.file, store.line)
    changed_there = (each for each in changes(file) if function_at(file, each.line) == store.scope)
    return not any(each.place in copied for each in changed_there)
