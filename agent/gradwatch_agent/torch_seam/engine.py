"""The patch of the autograd engine's entry and the optimizer hook: how the agent gets to know.

Owns both, from `install` to `remove`. Must not know what the listener makes of it.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from threading import get_ident
from typing import Any, Final

import torch
from torch.optim.optimizer import Optimizer, register_optimizer_step_post_hook

from gradwatch_agent import training
from gradwatch_agent.guard import Guard
from gradwatch_agent.torch_seam.listener import CREATE, Listener, Pass

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
        guard, listener, nested = self._guard, self._listener, torch._C._current_graph_task_id
        lanes = listener.lanes

        @functools.wraps(original)
        def _engine_run_backward(t_outputs: Any, *args: Any, **kwargs: Any) -> Any:
            # Checkpointing runs a backward inside the backward, which is no pass of its own.
            if nested() != -1 or "hooks" in guard.closed:
                return original(t_outputs, *args, **kwargs)
            lane, run = lanes.get(get_ident()), None
            doze = lane.doze if lane is not None and lane.doze.left and not args[CREATE] else None
            # The guard's own call is spared here: it would cost as much as what it guards.
            try:
                if lane is None:
                    training.threads.add(get_ident())
                    lane = listener.lane()
                if doze is None and lane is not None:
                    run = lane.before(t_outputs, args, kwargs)
            except Exception as error:  # noqa: BLE001
                guard.fail("hooks", error)
            try:
                result = original(t_outputs, *args, **kwargs)
            except BaseException as error:
                if lane is not None:
                    guard.call("hooks", lane.failed, run or Pass(t_outputs, args, kwargs), error)
                raise
            try:
                if doze is not None:
                    doze.backward()
                elif lane is not None and run is not None and "hooks" not in guard.closed:
                    lane.after(run)
            except Exception as error:  # noqa: BLE001
                guard.fail("hooks", error)
            return result

        return _engine_run_backward

    def _stepped(self, optimizer: Optimizer, _args: Any, _kwargs: Any) -> None:
        lane = self._listener.lanes.get(get_ident())
        if lane is None or "hooks" in self._guard.closed:
            return
        try:
            known = self._serials.get(id(optimizer)) or self._number(optimizer)
            if lane.doze.left:
                lane.doze.step(known[1])
            else:
                lane.stepped(known[1], optimizer)
        except Exception as error:  # noqa: BLE001
            self._guard.fail("hooks", error)

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


def optimizer_exists() -> bool:
    """Whether any optimizer was ever made in this process, stepped or not."""
    waiting = [Optimizer]
    while waiting:
        kind = waiting.pop()
        if kind is not Optimizer and getattr(kind.step, "hooked", False):
            return True
        waiting.extend(kind.__subclasses__())
    return False
