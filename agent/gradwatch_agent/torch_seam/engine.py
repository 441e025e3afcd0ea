"""The patch of the autograd engine's entry: how the agent gets to know of backwards.

Owns it, and through `Steps` the optimizers' hook, from `install` to `remove`. Must not know what
the listener makes of it.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from threading import get_ident
from typing import Any, Final

import torch

from gradwatch_agent.guard import Guard
from gradwatch_agent.loop import training
from gradwatch_agent.torch_seam.listener import CREATE, Lane, Listener, Pass
from gradwatch_agent.torch_seam.nodes import sequence_number
from gradwatch_agent.torch_seam.steps import Steps

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
        self.steps = Steps(listener, guard)
        self._original: Callable[..., Any] | None = None
        self._patched: Callable[..., Any] | None = None

    def install(self) -> None:
        """Raises `UnsupportedTorch`."""
        require_torch()
        self._original = _autograd._engine_run_backward
        self._patched = self._watched(self._original)
        _autograd._engine_run_backward = self._patched
        self.steps.install()

    def remove(self) -> None:
        """Takes back what `install` did; a patch that someone laid over ours is left alone."""
        if _autograd._engine_run_backward is self._patched:
            _autograd._engine_run_backward = self._original
        self._guard.close("hooks")  # where it cannot be taken out, ours only passes through
        self.steps.remove()

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
                if (around := lanes.get(get_ident())) is not None:
                    guard.call("hooks", around.within, t_outputs)
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
                    doze.starts.append(sequence_number())
                else:
                    doze.walked_at = sequence_number()
                if doze.left > 1:
                    doze.left -= 1
                else:
                    doze.spent()
            elif lane is not None and run is not None:
                guard.call("hooks", lane.after, run)
            return result

        return _engine_run_backward

    def _lane(self) -> Lane | None:
        """The lane of a thread that has not trained before."""
        training.threads.add(get_ident())
        return self._listener.lane()
