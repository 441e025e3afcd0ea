"""A backward on a leaf: the loss was made anew of numbers, to require a gradient of its own, and
nothing that an optimizer steps ever gets one. Torch says nothing, for there is nothing wrong.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from gradwatch_agent import wire
from gradwatch_agent.diagnosis.graphless import of_graphless
from gradwatch_agent.diagnosis.inquiry import Inquiry
from gradwatch_agent.torch_seam import NO_GRAPH, Pass, living_optimizers, stepped_by, storage_of
from gradwatch_agent.verdicts import Answer, Verdicts
from gradwatch_agent.verdicts.case import Case

_OFTEN: Final = 5
"""Such backwards, with none on a graph before: an empty batch may make one."""


class Untrained:
    """Of one training thread."""

    def __init__(
        self, verdicts: Verdicts, inquiry: Inquiry, post: Callable[[wire.Message], None]
    ) -> None:
        self._verdicts = verdicts
        self._inquiry = inquiry
        self._post = post
        self._left = _OFTEN
        """Those to come before it is told; fewer than none where it has been, or need not be."""

    def before(self, run: Pass, *, on_a_graph: bool, at_s: float) -> None:
        """A backward is about to start."""
        if on_a_graph or run.call != "backward":
            self._left = -1 if on_a_graph else self._left
            return
        self._left -= 1
        if self._left == 0:
            self._left = -1
            self._inquiry.ask(self._tell, run, at_s)

    def _tell(self, run: Pass, at_s: float) -> None:
        stepped = [each for optimizer in living_optimizers() for each in stepped_by(optimizer)]
        if not stepped or not run.starts.isdisjoint(map(storage_of, stepped)):
            return  # it is trained itself
        answer, _ = of_graphless(sys._getframe(), NO_GRAPH)  # noqa: SLF001
        found, _ = self._verdicts.event(_case(answer), at_s, 0)
        self._post(found)
        self._verdicts.detectors.learn_wanted()  # what is built in vain is so for this


def _case(answer: Answer) -> Case:
    """The case, at what cut the loss off."""
    case = Case(
        kind="graph-unused",
        level="warning",
        since=0,
        message=(
            "backward is called on a tensor that requires a gradient of its own and was made of no "
            "graph: no weight gets a gradient, and the optimizer's steps train nothing."
        ),
        suggestion="Call backward on what the model has computed, with its graph.",
        size=1,
    )
    return answer.explain(case)
