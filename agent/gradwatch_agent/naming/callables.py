"""How what runs, will run or has run is looked into: a function, a generator, a context, an
exception with its frames.

No code of the thing's class runs. Must not know what is sought.
"""

from __future__ import annotations

import contextvars
import functools
import types
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, Final

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming import inside
from gradwatch_agent.naming.captured import (
    arguments_of,
    bound_by,
    closed_over,
    defaults_of,
    unwrapped,
)
from gradwatch_agent.naming.paths import Path

if TYPE_CHECKING:
    from gradwatch_agent.naming.walk import Walk

ON_A_TENSOR: Final = "a hook on it"
"""How a tensor's hook is kept."""

ON_A_MODULE: Final = "a hook"


def into_context(walk: Walk, variable: contextvars.ContextVar[Any], path: Path) -> None:
    """A context's variable: what it is in the context of the thread that looks, or by default."""
    try:
        value = variable.get()
    except LookupError:
        return
    if inside.may_hold(value):
        walk.waiting.append((value, path.within()))


def into_token(walk: Walk, token: contextvars.Token[Any], path: Path) -> None:
    """It keeps what the variable was before; what it is now is the variable's, not the token's."""
    walk.attributes(token, (("old_value", token.old_value),), path)


def into_resumable(walk: Walk, value: Any, path: Path) -> None:
    """A generator or coroutine that waits keeps its locals."""
    for attribute in ("gi_frame", "cr_frame", "ag_frame"):
        frame = getattr(value, attribute, None)
        if frame is not None and is_own(frame.f_code.co_filename):
            walk.frame(frame, path)


def into_function(walk: Walk, value: Any, path: Path) -> None:
    """A function's closure and defaults, a method's object, a partial's arguments."""
    if path.via in (ON_A_TENSOR, ON_A_MODULE) and (bound := bound_by(value)) is not None:
        given, code = bound  # as if the hook closed over it
        walk.names(given, code.co_filename, code, f"a partial of `{code.co_name}`", path)
        value = value.func
    for part, is_code in unwrapped(value):
        if is_code:
            into_function(walk, part, path)
        elif type(value) is types.MethodType and inside.may_hold(part):
            walk.waiting.append((part, path.within()))
    if issubclass(type(value), functools.partial):
        every = arguments_of(value).items()
        ways = ((part, path.element(f"({name})", index=True)) for name, part in every)
        walk.waiting.extend(way for way in ways if inside.may_hold(way[0]))
    if type(value) is not types.FunctionType:
        walk.attributes(value, inside.own_attributes(value).items(), path)  # a partial's own
        return
    code = value.__code__
    closed = closed_over(value)
    if not is_own(code.co_filename):  # a library's wrapper around what it was given
        held = [item for item in closed.values() if inside.may_hold(item)]
        walk.waiting.extend((item, path.within()) for item in held)
        return
    walk.names(closed, code.co_filename, code, f"the closure of `{code.co_name}`", path)
    walk.attributes(value, value.__dict__.items(), path)
    defaults = defaults_of(value)
    walk.names(defaults, code.co_filename, code, f"a default of `{code.co_name}`", path)


def into_exception(walk: Walk, error: BaseException, path: Path) -> None:
    """An exception kept by a name keeps what it was made with, the frames of its traceback, and
    those that called them.
    """
    made_with = ("args", inside.made_with(error))
    walk.attributes(error, (*inside.own_attributes(error).items(), made_with), path)
    for frame in _frames_of(error, walk.running):
        if is_own(frame.f_code.co_filename):
            way = path.within(f"a traceback, which keeps the locals of `{frame.f_code.co_name}`")
            items = list(walk.locals.of(frame).values())
            walk.waiting.extend((item, way) for item in items if inside.may_hold(item))
    for cause in (error.__cause__, error.__context__):
        if cause is not None:
            walk.waiting.append((cause, path.within()))


def _frames_of(error: BaseException, running: Collection[int]) -> Iterator[types.FrameType]:
    """Of its traceback; then, from where it was caught outward, those that have ended since."""
    trace = error.__traceback__
    frame = trace.tb_frame.f_back if trace is not None else None
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next
    while frame is not None and id(frame) not in running:
        yield frame
        frame = frame.f_back
