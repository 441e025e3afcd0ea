"""What the seam tells, and to whom: a call into the engine, a thread's lane, the listener."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Protocol

from torch.optim.optimizer import Optimizer

from gradwatch_agent.lines.sites import TORCH, Site, call_site, calls_from
from gradwatch_agent.torch_seam.nodes import Node, roots_of, storage_of
from gradwatch_agent.wire import Call

if TYPE_CHECKING:
    from gradwatch_agent.loop.doze import Doze  # which imports this package

RETAIN, CREATE, INPUTS = 1, 2, 3
"""Places of retain_graph, create_graph and inputs among the engine's arguments after the roots."""


_CALLS: Final = (
    f"{TORCH}_tensor.py",
    f"{TORCH}overrides.py",
    f"{TORCH}autograd{os.sep}__init__.py",
    f"{TORCH}autograd{os.sep}graph.py",
)
"""The files through which `loss.backward()` and `autograd.grad(...)` go."""


class Pass:
    """One call into the autograd engine, as a lane sees it; read only as far as is asked."""

    __slots__ = ("_args", "_kwargs", "_outputs", "context", "create_graph", "retain_graph")

    def __init__(self, outputs: Sequence[Any], args: Sequence[Any], kwargs: dict[str, Any]) -> None:
        """What is asked of the engine: (roots, grads, retain_graph, create_graph, inputs, ...)."""
        self._outputs, self._args, self._kwargs = outputs, args, kwargs
        self.retain_graph: bool = args[RETAIN]
        self.create_graph: bool = args[CREATE]
        self.context: Any = None
        """The listener's own, from before to after."""

    @property
    def roots(self) -> list[Node]:
        """Where it starts: inner nodes, no leaf."""
        return list(roots_of(self._outputs))

    @property
    def starts(self) -> set[int]:
        """The storages of what it is called on."""
        return {storage_of(each) for each in self._outputs}

    @property
    def call(self) -> Call:
        """Which of torch's two functions was called."""
        return "backward" if self._kwargs.get("accumulate_grad") else "grad"

    @property
    def partial(self) -> bool:
        """Whether only the paths to given inputs are run."""
        return len(self._args) > INPUTS and bool(self._args[INPUTS])

    @property
    def inputs(self) -> list[Node]:
        """What made the given inputs: no leaves."""
        return list(roots_of(self._args[INPUTS])) if self.partial else []

    @property
    def ends(self) -> list[Node]:
        """Where it stops; none where it goes on to leaves."""
        inner = self.inputs
        return inner if inner and len(inner) == len(self._args[INPUTS]) else []

    def stops_short_of(self, weights: Collection[int]) -> bool:
        """Whether it leaves out some of these, given by their storages: what leads to them alone is
        not freed.
        """
        return not {storage_of(each) for each in self._args[INPUTS]}.issuperset(weights)

    @property
    def site(self) -> Site | None:
        """The line that called; to be asked while the call is under way."""
        return call_site(sys._getframe(1))

    @property
    def is_torchs_own(self) -> bool:
        """Whether some other function of torch's asks for it (`torch.func.grad`, a hessian): with
        which arguments, no user has to answer for. To be asked while the call is under way.
        """
        return calls_from(sys._getframe(1), _CALLS).startswith(TORCH)

    def release(self) -> None:
        """A traceback may keep this object: it must not keep the graph."""
        self._outputs, self.context = (), None


class Lane(Protocol):
    """What is told when a thread trains; called in that thread."""

    doze: Doze
    """While it lasts, nothing is told: the seam counts."""

    def before(self, outputs: Sequence[Any], args: Sequence[Any], kwargs: dict[str, Any]) -> Pass:
        """A backward is about to start."""

    def within(self, outputs: Sequence[Any]) -> None:
        """Another one is about to start inside of it, which is none of its own."""

    def after(self, run: Pass) -> None:
        """It has ended."""

    def failed(self, run: Pass, error: BaseException) -> None:
        """It raised."""

    def stepped(self, serial: int, optimizer: Optimizer) -> None:
        """An optimizer, told apart by a serial number, has stepped."""


class Listener(Protocol):
    """Who listens to the seam."""

    @property
    def lanes(self) -> Mapping[int, Lane]:
        """By the threads' identities."""

    @property
    def dozes(self) -> Mapping[int, Doze]:
        """Each lane's: looked up by itself, to touch no more than that."""

    def lane(self) -> Lane | None:
        """The calling thread's, made if need be; None if it is not to be watched."""

    def forget(self, serial: int) -> None:
        """That optimizer is gone."""
