"""Each hook that is registered gets a handle: how the agent gets to know of it.

Owns a patch of the handle's making, for as long as somebody wants to know.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from torch.utils.hooks import RemovableHandle


def hooks_made() -> int:
    """How many were ever registered in this process, removed or not; one number for all kinds."""
    return getattr(RemovableHandle, "next_id", 0)


class Registrations:
    """`registered` is called with the dict that a hook is put into, before it is."""

    def __init__(self, registered: Callable[[dict[int, Any]], None]) -> None:
        self._registered = registered
        self._original: Callable[..., None] = RemovableHandle.__init__
        self._patched: Callable[..., None] | None = None

    def hear(self) -> None:
        """From now on they are told."""
        self._original = original = RemovableHandle.__init__

        @functools.wraps(original)
        def made(handle: RemovableHandle, hooks_dict: Any, **extra: Any) -> None:
            original(handle, hooks_dict, **extra)
            self._registered(hooks_dict)

        self._patched = made
        RemovableHandle.__init__ = made  # type: ignore[method-assign,assignment]

    def ignore(self) -> None:
        """Nothing is told any more; a patch that someone laid over ours is left alone."""
        if RemovableHandle.__init__ is self._patched:
            RemovableHandle.__init__ = self._original  # type: ignore[method-assign]
        self._registered = _unheard


def _unheard(_: dict[int, Any]) -> None:
    """Where the patch cannot be taken back."""
