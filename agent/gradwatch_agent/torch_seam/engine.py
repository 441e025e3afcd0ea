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

_NEW: Final = -2
"""For an optimizer that has no serial yet."""

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
        self._serials: dict[int, int] = {}
        """Of each optimizer seen, by its id."""
        self._seen: dict[int, weakref.ref[Optimizer]] = {}
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
        self._hook = register_optimizer_step_post_hook(self._stepping())

    def remove(self) -> None:
        """Takes back what `install` did; a patch that someone laid over ours is left alone."""
        if _autograd._engine_run_backward is self._patched:
            _autograd._engine_run_backward = self._original
        self._guard.close("hooks")  # where it cannot be taken out, ours only passes through
        if self._hook is not None:
            self._hook.remove()
        self._serials.clear()
        self._seen.clear()

    def _watched(self, original: Callable[..., Any]) -> Callable[..., Any]:
        guard, nested = self._guard, torch._C._current_graph_task_id
        lanes, dozes = self._listener.lanes, self._listener.dozes

        @functools.wraps(original)
        def _engine_run_backward(t_outputs: Any, *args: Any, **kwargs: Any) -> Any:
            doze, lane, run = dozes.get(get_ident()), None, None
            if doze is not None and doze.left and not doze.inside and not args[CREATE]:
                doze.inside = True
            # Checkpointing runs a backward inside the backward, which is no pass of its own.
            elif nested() != -1 or "hooks" in guard.closed:
                return original(t_outputs, *args, **kwargs)
            else:
                doze, lane = None, lanes.get(get_ident()) or guard.call("hooks", self._lane)
                if lane is not None:
                    run = guard.call("hooks", lane.before, t_outputs, args, kwargs)
            try:
                result = original(t_outputs, *args, **kwargs)
            except BaseException as error:
                lane = lane or lanes.get(get_ident())
                if lane is not None:
                    guard.call("hooks", lane.failed, run or Pass(t_outputs, args, kwargs), error)
                raise
            if doze is not None:
                doze.inside = False
                doze.backwards += 1
                if doze.closer is None:
                    doze.over()
            elif lane is not None and run is not None:
                guard.call("hooks", lane.after, run)
            return result

        return _engine_run_backward

    def _lane(self) -> Lane | None:
        """The lane of a thread that has not trained before."""
        training.threads.add(get_ident())
        return self._listener.lane()

    def _stepping(self) -> Callable[..., None]:
        dozes, serials = self._listener.dozes, self._serials

        def stepped(optimizer: Optimizer, _args: Any, _kwargs: Any) -> None:
            doze = dozes.get(get_ident())
            if doze is None or not doze.left:
                self._stepped(optimizer)
            # One without a backward before it ends nothing.
            elif serials.get(id(optimizer), _NEW) == doze.closer and (
                doze.backwards != doze.ended_at
            ):
                doze.over()

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
