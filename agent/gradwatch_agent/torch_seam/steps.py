"""The hook of all optimizers: how the agent gets to know of their steps.

Owns the serial numbers by which optimizers are told apart.
"""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable
from threading import get_ident
from typing import Any, Final

from torch import Tensor
from torch.optim.optimizer import Optimizer, register_optimizer_step_post_hook

from gradwatch_agent.guard import Guard
from gradwatch_agent.torch_seam.compiling import compiles
from gradwatch_agent.torch_seam.listener import Listener

_NEW: Final = -2
"""For an optimizer that has no serial yet."""

_DEAF: Final = slice
"""In the hook's place where steps need not be heard: it takes three arguments, does nothing with
them, and runs no Python."""


class Steps:
    """Of one seam, in the thread that trains."""

    def __init__(self, listener: Listener, guard: Guard) -> None:
        self._listener = listener
        self._guard = guard
        self._serials: dict[int, int] = {}
        """Of each optimizer seen, by its id."""
        self._seen: dict[int, weakref.ref[Optimizer]] = {}
        self._given = 0
        self._handle: Any = None
        self._hook = self._hearing()

    def install(self) -> None:
        """Puts the hook into torch."""
        self._handle = register_optimizer_step_post_hook(self._hook)

    def remove(self) -> None:
        """Takes it out."""
        if self._handle is not None:
            self._handle.remove()
        self._serials.clear()
        self._seen.clear()

    def ignore(self) -> bool:
        """They need not be heard until `hear`. Whether that is so: not where several threads train,
        nor where something is compiled, for its guards may look at hooks.
        """
        return len(self._listener.lanes) == 1 and not compiles() and self._put(_DEAF)

    def hear(self) -> None:
        """They are heard again."""
        self._put(self._hook)

    def _put(self, hook: Callable[..., Any]) -> bool:
        """In the place where ours is, among those of others; in an order that does not change."""
        hooks = self._handle.hooks_dict_ref() if self._handle is not None else None
        if hooks is None or self._handle.id not in hooks:
            return False
        hooks[self._handle.id] = hook
        return True

    def _hearing(self) -> Callable[..., None]:
        listener, serials = self._listener, self._serials

        def stepped(optimizer: Optimizer, _args: Any, _kwargs: Any) -> None:
            doze = listener.dozes.get(get_ident())
            if doze is None or not doze.on:
                self._stepped(optimizer)
            elif doze.closer is None:  # backwards were taken for iterations
                doze.wake()
                self._stepped(optimizer)
            # One without a backward before it ends nothing.
            elif serials.get(id(optimizer), _NEW) == doze.closer and (
                doze.backwards != doze.ended_at
            ):
                doze.step()

        return stepped

    def _stepped(self, optimizer: Optimizer) -> None:
        lane, guard = self._listener.lanes.get(get_ident()), self._guard
        if lane is None or "hooks" in guard.closed:
            return
        serial = self._serials.get(id(optimizer))
        if serial is None:
            serial = guard.call("hooks", self._number, optimizer)
        if serial is not None:
            guard.call("hooks", lane.stepped, serial, optimizer)

    def _number(self, optimizer: Optimizer) -> int:
        """A serial for an optimizer first seen; it is not kept alive."""
        key, serial = id(optimizer), self._given
        self._given += 1

        def gone(_: Any) -> None:
            self._serials.pop(key, None)
            self._seen.pop(key, None)
            self._listener.forget(serial)

        self._seen[key] = weakref.ref(optimizer, gone)
        self._serials[key] = serial
        return serial


def optimizer_exists() -> bool:
    """Whether any optimizer was ever made in this process, stepped or not."""
    return any(getattr(kind.step, "hooked", False) for kind in _kinds())


def _kinds() -> list[type[Optimizer]]:
    """All classes of optimizers."""
    found: list[type[Optimizer]] = []
    waiting = Optimizer.__subclasses__()
    while waiting:
        found.append(kind := waiting.pop())
        waiting.extend(kind.__subclasses__())
    return found


def stepped_by(optimizer: Optimizer) -> list[Tensor]:
    """The tensors that it steps; none of one that is only half made."""
    groups = vars(optimizer).get("param_groups", ())
    return [parameter for group in groups for parameter in group["params"]]


def living_optimizers() -> list[Optimizer]:
    """Those of this process. Looks through all objects, some tens of ms."""
    known = {id(kind) for kind in _kinds()}  # a metaclass may hash as it likes
    return [thing for thing in gc.get_objects() if id(type(thing)) in known]
