"""For a copy of a model's parameters that goes on from where the last iteration left it. Pure but
for reading.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.whole import whole_detached
from gradwatch_agent.source.gradients.cut import is_cut
from gradwatch_agent.source.stored.stores import Store
from gradwatch_agent.source.syntax.comments import without_comment
from gradwatch_agent.source.syntax.reading import called, reads
from gradwatch_agent.source.syntax.statements import body_around
from gradwatch_agent.source.syntax.text import code_of, nodes

_PARAMETERS = frozenset(("parameters", "named_parameters"))


def begin_again(kept: Kept, store: Store) -> str | None:
    """For adapted weights that started as a model's own, where nothing else trains the model: cut
    off from those, none of them would get a gradient.
    """
    adapted = kept.needed and kept.leaf
    if not (adapted or (kept.lone and "[" not in store.target)):
        return None
    every = [each for each in _begun(store) if each.lineno != store.line]
    # What began as a detached copy has taught them nothing ever.
    linked = [each for each in every if _is_of_parameters(each.value) and not is_cut(each.value)]
    own = [each for each in linked if _holds_there(store, each)]
    begun = every if adapted else own
    if len(begun) != 1:
        return None
    code = without_comment(code_of(store.file, begun[0]))
    where = "" if _holds_there(store, begun[0]) else f"as in line {begun[0].lineno}, "
    cut = f"; or, if they are not to be trained by it: `{whole_detached(kept, store)}`"
    return (
        "Start each iteration from the parameters again, which nothing else trains: "
        f"{where}`{code}`{'' if adapted else cut}."
    )


def _begun(store: Store) -> Iterator[ast.Assign]:
    """What gives it another value than one of its own."""
    whole = store.target.partition("[")[0]
    for node in nodes(store.file):
        match node:
            case ast.Assign(targets=[ast.Name() | ast.Attribute() as target], value=value):
                if ast.unparse(target) == whole and whole not in reads(value):
                    yield node


def _holds_there(store: Store, begun: ast.Assign) -> bool:
    """Whether its words hold where the thing is stored, too."""
    own = body_around(store.file, begun.lineno) is body_around(store.file, store.line)
    return own or _is_of_self(begun.value)


def _is_of_parameters(value: ast.expr) -> bool:
    calls = (node for node in ast.walk(value) if isinstance(node, ast.Call))
    return any(called(call) in _PARAMETERS for call in calls)


def _is_of_self(value: ast.expr) -> bool:
    """Whether it is made of what the object itself knows, and of what it draws."""
    calls = (node for node in ast.walk(value) if isinstance(node, ast.Call))
    owners = {_owner(call) for call in calls if called(call) in _PARAMETERS}
    return owners == {"self"}


def _owner(call: ast.Call) -> str:
    return ast.unparse(call.func).partition(".")[0]
