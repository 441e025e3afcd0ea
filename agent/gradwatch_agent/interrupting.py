"""Whether an exception is the program's own, though it came up within the agent: the handler of a
signal runs wherever the main thread happens to be.
"""

from __future__ import annotations

import os
import signal
import sysconfig
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Final

_AGENT: Final = f"{Path(__file__).parent}{os.sep}"

_STANDARD: Final = tuple(
    path + os.sep for path in (sysconfig.get_path("stdlib"), str(Path(os.__file__).parent)) if path
)

_SIGNALS: Final = frozenset(map(int, signal.valid_signals()))

_PACKAGES: Final = (f"{os.sep}site-packages{os.sep}", f"{os.sep}dist-packages{os.sep}")


def is_of_a_signal(error: BaseException) -> bool:
    """Whether a handler of the program's, or of a package's, raised it: it was given the number of
    a signal, and the frame that this interrupted.
    """
    return any(map(_is_handler, _frames(error)))


def _frames(error: BaseException) -> Iterator[FrameType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _is_handler(frame: FrameType) -> bool:
    code, interrupted = frame.f_code, frame.f_back
    if interrupted is None or not _is_anothers(code.co_filename):
        return False
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + 2]
    given = [frame.f_locals[name] for name in names if name in frame.f_locals]
    rest = [each for value in given if type(value) is tuple for each in value]
    return any(
        isinstance(number, int) and number in _SIGNALS and handed is interrupted
        for every in (given, rest)
        for number, handed in pairwise(every)
    )


def _is_anothers(file: str) -> bool:
    """Whether the file is neither the agent's nor Python's own."""
    if file.startswith((_AGENT, "<frozen")):
        return False
    return not file.startswith(_STANDARD) or any(each in file for each in _PACKAGES)
