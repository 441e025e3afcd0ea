"""Which line of the user's own code made a call.

Owns the judgement what is the user's code and what is a library's. Must not know torch's inside.
"""

from __future__ import annotations

import sysconfig
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FrameType

import torch

_LIBRARIES = tuple(
    {sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")}
    | {str(Path(torch.__file__).parent), str(Path(__file__).parent), "<frozen"}
)
_INTERNAL = (str(Path(torch.__file__).parent), str(Path(__file__).parent))


@dataclass(frozen=True, slots=True)
class Site:
    """Where in the user's code a call came from."""

    file: str
    line: int
    function: str


_own: dict[CodeType, bool] = {}
"""Judged once for each code object; bounded by the code of the program."""


def is_own(filename: str) -> bool:
    """Whether a file is the user's: no library's, not the interpreter's, not the agent's."""
    return not filename.startswith(_LIBRARIES)


def call_site(frame: FrameType | None) -> Site | None:
    """The innermost frame of the user's own code, else of any code outside torch."""
    outside = None
    while frame is not None:
        code = frame.f_code
        own = _own.get(code)
        if own is None:
            own = _own[code] = is_own(code.co_filename)
        if own:
            return Site(code.co_filename, frame.f_lineno, code.co_name)
        if outside is None and not code.co_filename.startswith(_INTERNAL):
            outside = Site(code.co_filename, frame.f_lineno, code.co_name)
        frame = frame.f_back
    return outside
