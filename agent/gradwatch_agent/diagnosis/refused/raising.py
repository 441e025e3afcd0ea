"""Where an exception left the user's code: the statement, the expression, what its names mean."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from types import FrameType, TracebackType
from typing import Any, TypeAlias

import torch

from gradwatch_agent.advice.rewriting import replaced
from gradwatch_agent.diagnosis.graphless.scene import Scene, Spot, scenes
from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming.attributes import MISSING
from gradwatch_agent.naming.frames import Locals
from gradwatch_agent.source.syntax.reading import called
from gradwatch_agent.source.syntax.statements import Located
from gradwatch_agent.source.syntax.text import code_of, nodes
from gradwatch_agent.verdicts.case import Answer

Told: TypeAlias = tuple[str, Answer]
"""A sentence on the fault; where it is, and the change to make."""


@dataclass(frozen=True, slots=True)
class Raised:
    """An exception on its way out of the user's innermost statement."""

    text: str
    spots: tuple[Spot, ...]
    """The user's statements that led to it, the outermost first."""
    statement: ast.stmt
    node: Located
    """The expression that raised, where Python knows it (from 3.11 on); else the statement."""
    within: tuple[FrameType, ...]
    """What that called, the innermost last: none of the user's."""

    @property
    def scene(self) -> Scene:
        """What names mean there."""
        return self.spots[-1].scene

    def meant(self, expression: ast.expr) -> Any:
        """What it stands for, without working anything out; MISSING if that is not known."""
        return self.scene.meant(expression)

    def tensor(self, expression: ast.expr) -> torch.Tensor | None:
        """The same if that is a tensor."""
        value = self.meant(expression)
        return value if is_tensor(value) else None

    def told(self, sentence: str, suggestion: str, name: str | None = None) -> Told:
        """At the statement that raised."""
        file, line = self.scene.file, self.statement.lineno
        return sentence, Answer(file, line, code_of(file, self.statement), name, suggestion)

    def rewritten(self, old: ast.expr | ast.comprehension, new: ast.AST) -> str:
        """The statement that raised, with that part of it replaced, in one line."""
        return replaced(self.statement, old, new)

    def owners(self) -> list[Any]:
        """The objects whose methods that called, the innermost last."""
        local = Locals()
        try:
            return [local.of(frame).get("self") for frame in self.within]
        finally:
            local.clear()

    def parts(self) -> Iterator[ast.AST]:
        """What raised, and all that it is made of."""
        return ast.walk(self.node)

    def calls(self, *names: str) -> Iterator[ast.Call]:
        """Those of a function or a method that goes by one of these names; of none, all."""
        calls = (part for part in self.parts() if isinstance(part, ast.Call))
        return (call for call in calls if not names or called(call) in names)


def is_tensor(value: Any) -> bool:
    """Whether it is one, whatever it says of its class."""
    return value is not MISSING and issubclass(type(value), torch.Tensor)


def has_graph(value: Any) -> bool:
    """Whether it is a tensor that an operation made and a gradient flows through."""
    return is_tensor(value) and value.requires_grad and not value.is_leaf


def raised(error: BaseException, local: Locals) -> Raised | None:
    """None where none of the user's code is known; `local` is to be cleared."""
    traces = list(_traces(error.__traceback__))
    own = [place for place, trace in enumerate(traces) if is_own(_file(trace))]
    if not own:
        return None
    users = [(traces[place].tb_frame, traces[place].tb_lineno) for place in own]
    spots = list(scenes(users, local))
    if not spots or spots[-1].scene.file != _file(traces[own[-1]]):
        return None
    within = tuple(trace.tb_frame for trace in traces[own[-1] + 1 :])
    node = _exactly(traces[own[-1]]) or spots[-1].node
    statement = _around(node, spots[-1].scene.file)
    if statement is None:
        return None
    spots[-1] = Spot(spots[-1].scene, statement)
    return Raised(str(error), tuple(spots), statement, node, within)


def _traces(trace: TracebackType | None) -> Iterator[TracebackType]:
    while trace is not None:
        yield trace
        trace = trace.tb_next


def _file(trace: TracebackType) -> str:
    return trace.tb_frame.f_code.co_filename


def _exactly(trace: TracebackType) -> Located | None:
    """The expression at which the traceback stands."""
    if sys.version_info < (3, 11):
        return None
    positions = trace.tb_frame.f_code.co_positions()
    place = next(islice(positions, trace.tb_lasti // 2, None), (None,) * 4)
    for part in nodes(_file(trace)):
        if isinstance(part, ast.expr | ast.stmt) and _place(part) == place:
            return part
    return None


def _around(node: Located, file: str) -> ast.stmt | None:
    """The innermost statement that it is in."""
    begins, ends = _ends(node)
    around = []
    for each in nodes(file):
        if isinstance(each, ast.stmt):
            first, last = _ends(each)
            if first <= begins and ends <= last:
                around.append(each)
    return max(around, key=_ends, default=None)


def _ends(node: Located) -> tuple[tuple[int, int], tuple[int, int]]:
    end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return (node.lineno, node.col_offset), end


def _place(node: Located) -> tuple[int | None, ...]:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset
