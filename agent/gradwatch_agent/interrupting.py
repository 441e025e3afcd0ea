"""Whether an exception is the program's own, though it came up within the agent: the handler of a
signal runs wherever the main thread happens to be.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FrameType


def is_of_a_signal(error: BaseException) -> bool:
    """Whether a handler of the program's raised it: it was given the frame that it interrupted."""
    return any(map(_is_handler, _frames(error)))


def _frames(error: BaseException) -> Iterator[FrameType]:
    trace = error.__traceback__
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _is_handler(frame: FrameType) -> bool:
    code, interrupted = frame.f_code, frame.f_back
    if interrupted is None:
        return False
    given = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + 2]
    values = [value for name, value in frame.f_locals.items() if name in given]
    values += [each for value in values if type(value) is tuple for each in value]
    return any(value is interrupted for value in values)
