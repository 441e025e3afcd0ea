"""The patch of the autograd engine's entry and the optimizer hook: how the agent gets to know.

Owns both, from `install` to `remove`. Must not know what the listener makes of it.
"""

from __future__ import annotations

import functools
import sys
import weakref
from collections.abc import Callable
from threading import get_ident
from typing import Any, Final

import torch
from torch.optim.optimizer import Optimizer, register_optimizer_step_post_hook

from gradwatch_agent import training
from gradwatch_agent.guard import Guard
from gradwatch_agent.torch_seam.listener import CREATE, Lane, Listener, Pass

OLDEST_TORCH: Final = (2, 4)

_autograd: Any = torch.autograd
"""The module whose global is patched; its stubs do not export the name."""


class UnsupportedTorch(RuntimeError):
    """The torch here is older than what the agent was run with, or lacks what it needs."""


def require_torch() -> None:
    """Raises `UnsupportedTorch` with a sentence that tells what is needed."""
    version = tuple(int(part) for part in torch.__version__.split("+")[0].split(".")[:2])
    if version < OLDEST_TORCH:
        raise UnsupportedTorch(
            f"torch {torch.__version__} is too old: gradwatch needs "
            f"{'.'.join(map(str, OLDEST_TORCH))} or newer; training goes on unwatched"
        )


class Seam:
    """The patch and the hook; `remove` leaves torch exactly as it was found."""

    def __init__(self, listener: Listener, guard: Guard) -> None:
        self._listener = listener
        self._guard = guard
        self._serials: dict[int, tuple[weakref.ref[Optimizer], int]] = {}
        self._given = 0
        self._original: Callable[..., Any] | None = None
        self._patched: Callable[..., Any] | None = None
        self._hook: Any = None

    def install(self) -> None:
        """Raises `UnsupportedTorch`."""
        require_torch()
        self._original = _autograd._engine_run_backward
        self._patched = self._watched(self._original)
        _autograd._engine_run_backward = self._patched
        self._hook = register_optimizer_step_post_hook(self._stepped)

    def remove(self) -> None:
        """Takes back what `install` did; a patch that someone laid over ours is left alone."""
        if _autograd._engine_run_backward is self._patched:
            _autograd._engine_run_backward = self._original
        self._guard.close("hooks")  # where it cannot be taken out, ours only passes through
        if self._hook is not None:
            self._hook.remove()
        self._serials.clear()

    def _watched(self, original: Callable[..., Any]) -> Callable[..., Any]:
        guard, lanes, nested = self._guard, self._listener.lanes, torch._C._current_graph_task_id

        @functools.wraps(original)
        def _engine_run_backward(t_outputs: Any, *args: Any, **kwargs: Any) -> Any:
            # Checkpointing runs a backward inside the backward, which is no pass of its own.
            if nested() != -1 or "hooks" in guard.closed:
                return original(t_outputs, *args, **kwargs)
            lane, run = lanes.get(get_ident()) or guard.call("hooks", self._lane), None
            dozes = lane is not None and lane.doze.left and not args[CREATE]
            if lane is not None and not dozes:
                run = guard.call("hooks", lane.before, t_outputs, args, kwargs)
            try:
                result = original(t_outputs, *args, **kwargs)
            except BaseException as error:
                if lane is not None:
                    guard.call("hooks", lane.failed, run or Pass(t_outputs, args, kwargs), error)
                raise
            if lane is not None and dozes:
                lane.doze.backward()
            elif lane is not None and run is not None:
                guard.call("hooks", lane.after, run)
            return result

        return _engine_run_backward

    def _lane(self) -> Lane | None:
        """The lane of a thread that has not trained before."""
        training.threads.add(get_ident())
        return self._listener.lane()

    def _stepped(self, optimizer: Optimizer, _args: Any, _kwargs: Any) -> None:
        lane, guard = self._listener.lanes.get(get_ident()), self._guard
        if lane is None or "hooks" in guard.closed:
            return
        known = self._serials.get(id(optimizer)) or guard.call("hooks", self._number, optimizer)
        if known is not None and lane.doze.left:
            lane.doze.step(known[1])
        elif known is not None:
            guard.call("hooks", lane.stepped, known[1], optimizer)

    def _number(self, optimizer: Optimizer) -> tuple[weakref.ref[Optimizer], int]:
        """A serial for an optimizer first seen; it is not kept alive."""
        key, serial = id(optimizer), self._given
        self._given += 1

        def gone(_: Any) -> None:
            self._serials.pop(key, None)
            self._listener.forget(serial)

        known = (weakref.ref(optimizer, gone), serial)
        self._serials[key] = known
        return known


def compiles() -> bool:
    """Whether this process compiles something with torch.compile, or is about to."""
    backends = getattr(sys.modules.get("torch._dynamo.eval_frame"), "cached_backends", None) or {}
    counters = getattr(sys.modules.get("torch._dynamo.utils"), "counters", None) or {}
    return any(each is not None for each in backends.values()) or bool(counters.get("frames"))


def optimizer_exists() -> bool:
    """Whether any optimizer was ever made in this process, stepped or not."""
    waiting = [Optimizer]
    while waiting:
        kind = waiting.pop()
        if kind is not Optimizer and getattr(kind.step, "hooked", False):
            return True
        waiting.extend(kind.__subclasses__())
    return False
