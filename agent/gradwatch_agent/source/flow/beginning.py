"""Whether a statement runs only where nothing is there yet, and what tells.

Pure but for reading.
"""

from __future__ import annotations

import ast
from typing import NamedTuple

from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.reading import reads
from gradwatch_agent.source.syntax.statements import body_around, choices_of, functions_of, is_in
from gradwatch_agent.source.syntax.targets import pairs


def is_beginning(store: Store) -> bool:
    """Whether it runs only where there is nothing yet: under `if self.state is None`, under
    `if name not in self.states`, under `if not self.ready`; behind the `else` of the opposite.
    """
    body = body_around(store.file, store.line)
    return body is not None and any(
        (is_in(branch.body, store.line) and _asks_for_nothing(branch, store))
        or (is_in(branch.orelse, store.line) and _asks_for_it(branch.test, store))
        for branch in choices_of(body)
    )


def _asks_for_it(test: ast.expr, store: Store) -> bool:
    """Whether there is something already where it stores."""
    match test:
        case ast.Compare(left=asked, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            return ast.unparse(asked) == store.target
        case ast.Compare(left=key, ops=[ast.In()], comparators=[container]):
            return f"{ast.unparse(container)}[{ast.unparse(key)}]" == store.target
    return False


def _asks_for_nothing(branch: ast.If, store: Store) -> bool:
    match branch.test:
        case ast.Compare(ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None)]):
            return True
        case ast.Compare(ops=[ast.NotIn()]):
            return True
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name(id="hasattr"))):
            return True
        case ast.Attribute() as asked:
            return ast.unparse(asked) != store.target and _is_set(ast.unparse(asked), branch)
        case ast.UnaryOp(op=ast.Not(), operand=ast.Name() | ast.Attribute() as asked):
            name = ast.unparse(asked)
            return name == store.target or _is_set(name, branch) or _tells(name, store)
    return False


class Flag(NamedTuple):
    """What says whether something is to be computed, and is set as it is."""

    name: str
    asks: bool
    """What it is where that is to be done."""


def flag_of(store: Store) -> Flag | None:
    """The one that the statement depends on: `self.dirty` of `if self.dirty: self.value, self.dirty
    = compute(), False`, and `self.begun` of `if not self.begun: ...; self.begun = True`.
    """
    body = body_around(store.file, store.line)
    for branch in choices_of(body) if body is not None else ():
        test, asks = branch.test, True
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test, asks = test.operand, False
        if isinstance(test, ast.Attribute) and is_in(branch.body, store.line):
            flag = ast.unparse(test)
            if flag != store.target and _is_set(flag, branch):
                return Flag(flag, asks)
    return None


def _is_set(flag: str, branch: ast.If) -> bool:
    """Whether what is asked for is no longer so behind the branch: `self.begun = True`."""
    return any(
        isinstance(value, ast.Constant) and ast.unparse(target) == flag
        for statement in branch.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Assign)
        for target, value in pairs(node)
    )


def _tells(name: str, store: Store) -> bool:
    """Whether it is a property that tells whether something is there: `bool(self.slow)`."""
    last = name.rpartition(".")[2]
    found = (each for each in functions_of(store.file) if each.name == last and each.decorator_list)
    return any(store.target.partition("[")[0] in reads(each) for each in found)
