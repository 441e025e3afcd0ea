"""What functions, partials, generators that wait, and an exception's frames keep without a name.

No code of the user's runs.
"""

from __future__ import annotations

import functools
import gc
import types
from collections.abc import Iterator
from typing import Any, Final

from gradwatch_agent.naming.inside import SHARED, may_hold

RESUMABLE: Final = (types.GeneratorType, types.CoroutineType, types.AsyncGeneratorType)


def content(cell: types.CellType) -> Any:
    """What a closure's variable holds."""
    try:
        return cell.cell_contents
    except ValueError:  # empty
        return None


def unwrapped(value: Any) -> Iterator[tuple[Any, bool]]:
    """What a callable holds besides its closure, and whether it is another callable."""
    if type(value) is types.MethodType:
        yield value.__self__, False
        yield value.__func__, True
    elif issubclass(type(value), functools.partial):
        yield value.func, True
        yield from ((item, False) for item in [*value.args, *value.keywords.values()])


def arguments_of(partial: functools.partial[Any]) -> dict[str, Any]:
    """What it hands on, by its place or its name."""
    placed: tuple[Any, ...] = functools.partial.args.__get__(partial)
    named: dict[str, Any] = functools.partial.keywords.__get__(partial)
    return {**{str(place): each for place, each in enumerate(placed)}, **named}


def closed_over(function: types.FunctionType) -> dict[str, Any]:
    """The variables that its closure holds."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=False)
    return {name: content(cell) for name, cell in cells}


def defaults_of(function: types.FunctionType) -> dict[str, Any]:
    """What its parameters are if nobody gives them."""
    code, last = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount][code.co_argcount - len(last) :]
    return {**dict(zip(names, last, strict=False)), **(function.__kwdefaults__ or {})}


def captured(value: Any) -> list[Any]:
    """What a callable keeps: a closure's variables and defaults, a method's object, a partial's
    arguments; or a generator that waits, its variables. Nothing of any other thing.
    """
    kind = type(value)  # `isinstance` would ask a `__class__` of the user's
    if kind is types.FunctionType:
        closed = map(content, value.__closure__ or ())
        return [*closed, *(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()]
    if kind is types.MethodType or issubclass(kind, functools.partial):
        parts = list(unwrapped(value))
        held = [part for part, is_code in parts if not is_code]
        return held + [each for part, is_code in parts if is_code for each in captured(part)]
    if kind in RESUMABLE:
        found = gc.get_referents(value)
        frames = [each for each in found if type(each) is types.FrameType]  # up to 3.10
        return _variables_among([*found, *(each for one in frames for each in _in_frame(one))])
    return []


def framed(error: Any) -> list[Any]:
    """What the frames of an exception's traceback keep that have ended; of any other thing none."""
    if not issubclass(type(error), BaseException):
        return []
    trace, found = error.__traceback__, []
    while trace is not None:
        found += _in_frame(trace.tb_frame)
        trace = trace.tb_next
    return _variables_among(found)


def _in_frame(frame: types.FrameType) -> list[Any]:
    """What it refers to, its globals aside; nothing (from 3.11 on) while it runs."""
    shared = (frame.f_globals, frame.f_builtins)
    return [each for each in gc.get_referents(frame) if not any(each is one for one in shared)]


def _variables_among(found: list[Any]) -> list[Any]:
    """What variables hold, closed over ones too."""
    held = [content(each) if type(each) is types.CellType else each for each in found]
    return [each for each in held if may_hold(each) and not issubclass(type(each), SHARED)]


def bound_by(value: Any) -> tuple[dict[str, Any], types.CodeType] | None:
    """What a partial of a function of Python's gives its parameters, by their names, and that
    one's code; None for anything else.
    """
    if not issubclass(type(value), functools.partial):
        return None
    function: Any = value.func
    method = type(function) is types.MethodType
    function = function.__func__ if method else function
    if type(function) is not types.FunctionType:
        return None
    code = function.__code__
    names = code.co_varnames[int(method) : code.co_argcount]
    return {**dict(zip(names, value.args, strict=False)), **value.keywords}, code
