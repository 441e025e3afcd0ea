"""Whether a file that was written after the program began is nevertheless what the program runs: a
notebook's kernel imports what is edited all day, and a process may be forked from an older one.

Compares what the file would compile to with the code that is there. Runs none of it.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def runs(file: str) -> bool:
    """Whether all code of that file's that is found, and some is, is as the file has it now."""
    shapes = {_shape(code) for code in _live(file)}
    return bool(shapes) and shapes <= {_shape(code) for code in _compiled(file)}


def _live(file: str) -> Iterator[types.CodeType]:
    """Of what runs at the moment, and of the functions and classes of the file's module."""
    for innermost in sys._current_frames().values():  # noqa: SLF001
        frame: types.FrameType | None = innermost
        while frame is not None:
            if frame.f_code.co_filename == file:
                yield frame.f_code
            frame = frame.f_back
    for module in list(sys.modules.values()):
        if type(module) is types.ModuleType and module.__dict__.get("__file__") == file:
            yield from _defined(module.__dict__, module.__dict__.get("__name__"), file)


def _defined(names: dict[str, Any], module: object, file: str) -> Iterator[types.CodeType]:
    for each in list(names.values()):
        if type(each) is types.FunctionType and each.__code__.co_filename == file:
            yield each.__code__
        elif issubclass(type(each), type):
            yield from _of_class(each, module, file)


def _of_class(kind: Any, module: object, file: str) -> Iterator[types.CodeType]:
    """Of its methods; of one that is merely imported, none."""
    if type.__getattribute__(kind, "__module__") != module:
        return
    for each in dict(type.__getattribute__(kind, "__dict__")).values():
        if type(each) is types.FunctionType and each.__code__.co_filename == file:
            yield each.__code__


def _compiled(file: str) -> Iterator[types.CodeType]:
    try:
        waiting = [compile(Path(file).read_bytes(), file, "exec", dont_inherit=True)]
    except (OSError, SyntaxError, ValueError, RecursionError, MemoryError):
        return
    while waiting:
        yield (code := waiting.pop())
        waiting += (each for each in code.co_consts if type(each) is types.CodeType)


def _shape(code: types.CodeType) -> tuple[object, ...]:
    """What an edit would change."""
    constants = (each for each in code.co_consts if type(each) is not types.CodeType)
    known = tuple(sorted(map(repr, c)) if type(c) is frozenset else c for c in constants)
    names = (code.co_name, code.co_names, code.co_varnames)
    return (*names, repr(known), code.co_code, tuple(code.co_lines()))
