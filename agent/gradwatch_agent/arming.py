"""Waits until torch has been imported, then calls; imports nothing itself.

The one line may stand above `import torch`, and above what must be set before it; so it must
not import torch on its own.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


def when_torch_is_imported(then: Callable[[], None]) -> None:
    """Calls now if torch is there already, else right after its import has ended."""
    torch = sys.modules.get("torch")
    if torch is not None and not getattr(torch.__spec__, "_initializing", False):
        then()
    else:
        sys.meta_path.insert(0, _Finder(then))


class _Finder(MetaPathFinder):
    """Finds torch as everybody would, and takes itself out."""

    def __init__(self, then: Callable[[], None]) -> None:
        self._then = then

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != "torch":
            return None
        sys.meta_path.remove(self)
        spec = next(
            (
                found
                for finder in sys.meta_path
                if (found := finder.find_spec(fullname, path, target)) is not None
            ),
            None,
        )
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._then)
        return spec


class _Loader(Loader):
    """Torch's own loader, with a call at the end."""

    def __init__(self, real: Loader, then: Callable[[], None]) -> None:
        self._real = real
        self._then = then

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._real.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        if module.__spec__ is not None:
            module.__spec__.loader = self._real
        self._real.exec_module(module)
        self._then()
