"""`inplace-modified` by a module of an `nn.Sequential`, which changes what the one before it gave.

No line of the user's calls it by name: it is told where it is made.
"""

from __future__ import annotations

import ast
import gc
import itertools
from collections.abc import Iterator

from torch import nn

from gradwatch_agent.advice.copying import without_inplace
from gradwatch_agent.diagnosis.place.at_line import at_line
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.flow.calls import calls_of
from gradwatch_agent.source.gradients.changing import makes_inplace
from gradwatch_agent.source.syntax.text import code_of, statement_at
from gradwatch_agent.torch_seam import Node
from gradwatch_agent.verdicts.case import Answer


def of_a_sequence(node: Node) -> Answer | None:
    """Where the module is made that changes the node's result; None if that is not one place."""
    kinds = set(_behind(type(node).__name__.partition("Backward")[0].lower()))
    made = [
        (file, call)
        for kind in kinds
        for file, call in calls_of(kind, own_files())
        if makes_inplace(call)
    ]
    if len(kinds) != 1 or len(made) != 1:
        return None
    file, call = made[0]
    statement = statement_at(file, call.lineno)
    if statement is None:
        return None
    code = ast.unparse(without_inplace(call))
    advice = f"Make the module so that it leaves its input alone: `{code}`."
    return at_line(Answer(suggestion=advice), file, statement.lineno, code_of(file, statement))


def _behind(kind: str) -> Iterator[str]:
    """The kinds of modules that work in place, each behind one of that kind."""
    sequences = (each for each in gc.get_objects() if issubclass(type(each), nn.Sequential))
    for sequence in sequences:
        modules = list(sequence.__dict__["_modules"].values())
        for before, after in itertools.pairwise(modules):
            in_place = after.__dict__.get("inplace") is True
            if in_place and type(before).__name__.lower() == kind:
                yield type(after).__name__
