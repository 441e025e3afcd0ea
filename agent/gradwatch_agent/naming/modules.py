"""The user's modules: their files and globals.

Asked for hundreds of times for one finding, and in a process with torch's compiler some 2,500
modules would be looked through each time. Which are the user's is therefore worked out anew only
when other modules are loaded than before.
"""

from __future__ import annotations

import sys
import types
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming.inside import file_of_module


@dataclass(frozen=True)
class _Loaded:
    """What was loaded when it was last asked. No module is kept alive."""

    names: tuple[str, ...] = ()
    identities: tuple[int, ...] = ()
    own: tuple[tuple[str, weakref.ref[types.ModuleType]], ...] = ()
    last: ClassVar[_Loaded]


_Loaded.last = _Loaded()


def own_modules() -> Iterator[tuple[str, dict[str, Any]]]:
    """Of each: file and globals."""
    for file, reference in _own():
        if (module := reference()) is not None:
            yield file, vars(module)


def own_files() -> list[str]:
    """Their files, in order."""
    return sorted({file for file, _ in _own()})


def _own() -> tuple[tuple[str, weakref.ref[types.ModuleType]], ...]:
    last, loaded = _Loaded.last, sys.modules.copy()
    names, identities = tuple(loaded), tuple(map(id, loaded.values()))
    if last.names != names or last.identities != identities or not _are_alive(last):
        files = ((file_of_module(module), module) for module in loaded.values())
        own = ((file, weakref.ref(module)) for file, module in files if file and is_own(file))
        last = _Loaded.last = _Loaded(names, identities, tuple(own))
    return last.own


def _are_alive(loaded: _Loaded) -> bool:
    """A module that is loaded again may lie where the one before lay."""
    return all(reference() is not None for _, reference in loaded.own)
