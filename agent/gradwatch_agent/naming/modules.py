"""The user's modules: their files and globals.

Asked for hundreds of times for one finding, and in a process with torch's compiler some 2,500
modules would be looked through each time. Which are the user's is therefore worked out anew only
when other modules are loaded than before.
"""

from __future__ import annotations

import sys
import types
import weakref
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Final

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming.inside import file_of_module

_MOST_FILES: Final = 256
_MOST_BYTES: Final = 1_500_000
"""Of source that is read for a finding, some 40,000 lines: they take seconds to be parsed, while
training waits, and 100 MB. Of a larger program those are read that are nearest to what runs."""


@dataclass(frozen=True)
class _Loaded:
    """What was loaded when it was last asked. No module is kept alive."""

    names: tuple[str, ...] = ()
    identities: tuple[int, ...] = ()
    own: tuple[tuple[str, weakref.ref[types.ModuleType]], ...] = ()
    files: tuple[str, ...] = ()
    last: ClassVar[_Loaded]


_Loaded.last = _Loaded()


def own_modules() -> Iterator[tuple[str, dict[str, Any]]]:
    """Of each: file and globals."""
    for file, reference in _loaded().own:
        if (module := reference()) is not None:
            yield file, vars(module)


def own_files() -> list[str]:
    """Their files, in order; of a large program, those that matter most."""
    return list(_loaded().files)


def _loaded() -> _Loaded:
    last, loaded = _Loaded.last, sys.modules.copy()
    names, identities = tuple(loaded), tuple(map(id, loaded.values()))
    if last.names != names or last.identities != identities or not _are_alive(last):
        named = ((name, file_of_module(module)) for name, module in loaded.items())
        own = {name: file for name, file in named if file and is_own(file)}
        kept = tuple((file, weakref.ref(loaded[name])) for name, file in own.items())
        files = tuple(sorted(_nearest({name: vars(loaded[name]) for name in own}, own)))
        last = _Loaded.last = _Loaded(names, identities, kept, files)
    return last


def _are_alive(loaded: _Loaded) -> bool:
    """A module that is loaded again may lie where the one before lay."""
    return all(reference() is not None for _, reference in loaded.own)


def _nearest(modules: dict[str, dict[str, Any]], files: dict[str, str]) -> set[str]:
    """As many files as may be read: those that run, what they have imported, and so on."""
    found: set[str] = set()
    size, running = 0, _running()
    waiting = deque(sorted(modules, key=lambda name: running.get(files[name], len(running))))
    near = deque(name for name in waiting if files[name] in running)
    seen = set(near)
    while near or waiting:
        name = near.popleft() if near else waiting.popleft()
        size += _size(files[name]) if files[name] not in found else 0
        if size > _MOST_BYTES or len(found) >= _MOST_FILES:
            break
        found.add(files[name])
        imported = (each for each in _imported(modules[name]) if each in modules)
        new = [each for each in imported if each not in seen]
        near.extend(new)
        seen.update(new)
    return found


def _running() -> dict[str, int]:
    """The files of this thread's frames, innermost first."""
    files: dict[str, int] = {}
    frame: types.FrameType | None = sys._getframe()  # noqa: SLF001
    while frame is not None:
        files.setdefault(frame.f_code.co_filename, len(files))
        frame = frame.f_back
    return files


def _imported(names: dict[str, Any]) -> Iterator[str]:
    """The modules that a module knows, by itself or by what it has from them."""
    for value in list(names.values()):
        kind = type(value)
        if issubclass(kind, types.ModuleType):
            known: Any = types.ModuleType.__getattribute__(value, "__dict__").get("__name__")
        elif issubclass(kind, type):
            known = type.__getattribute__(value, "__dict__").get("__module__")
        elif kind is types.FunctionType:
            known = value.__module__
        else:
            continue
        if isinstance(known, str):
            yield known


def _size(file: str) -> int:
    try:
        return Path(file).stat().st_size
    except OSError:  # a notebook's cell
        return 0
