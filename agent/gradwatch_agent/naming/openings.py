"""How each kind of thing is looked into: a container, a function, an exception, an object.

No code of the thing's class runs. Must not know what is sought.
"""

from __future__ import annotations

import contextvars
import functools
import gc
import io
import sys
import threading
import types
from collections.abc import Callable, Collection, Iterator
from typing import TYPE_CHECKING, Any, Final

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming import containers, inside
from gradwatch_agent.naming.arrays import is_array, objects_in
from gradwatch_agent.naming.buffers import TEE, buffered, is_queue, queued
from gradwatch_agent.naming.caches import CACHE, cached
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.torch_seam import Node, is_there

if TYPE_CHECKING:
    from gradwatch_agent.naming.walk import Walk

ON_A_TENSOR: Final = "a hook on it"
"""How a tensor's hook is kept."""

_ON_A_MODULE: Final = "a hook"

_CHILDREN: Final = ("_modules", "_buffers", "_parameters")
"""Where a module keeps what its user calls its attributes."""

_CALLABLE: Final = (types.FunctionType, types.MethodType, functools.partial)


def way_into(kind: type) -> Callable[[Walk, Any, Path], None]:
    """How objects of a type are looked into."""
    if inside.is_the_agents(kind) or inside.is_of_typing(kind):
        return _nothing
    if issubclass(kind, containers.CONTAINERS):
        return _elements
    if containers.is_wrapper(kind):
        return _wrapper
    if issubclass(kind, _CALLABLE):
        return _function
    if issubclass(kind, inside.RESUMABLE):
        return _resumable
    if issubclass(kind, BaseException):
        return _exception
    if issubclass(kind, threading.local):
        return _of_this_thread
    if kind is TEE:
        return _buffer
    if kind is CACHE:
        return _cache
    if is_queue(kind):
        return _queue
    if is_array(kind):
        return _array
    if kind is io.BytesIO or kind in inside.TEXTS:
        return _block
    if kind is contextvars.ContextVar:
        return _of_this_context
    if kind is contextvars.Token:
        return _token
    if inside.is_node(kind):
        return _node
    return _object


def _nothing(_walk: Walk, _value: Any, _path: Path) -> None:
    """Not at all."""


def _node(walk: Walk, node: Node, path: Path) -> None:
    if is_there(node):
        walk.found.node(node, path)
    walk.attributes(node, inside.own_attributes(node).items(), path)


def _elements(walk: Walk, container: Any, path: Path, of: Any = None) -> None:
    """`of`: the object that goes by the path, if the container is merely what it wraps."""
    kind = type(container if of is None else of)
    path.container, path.size = kind.__name__, containers.size_of(container)
    path.fields = containers.fields_of(kind)
    path.classes = () if path.fields else containers.classes_of(kind)
    walk.found.container(container, path)
    for label, index, item in containers.labelled(container):
        if len(walk.waiting) > walk.left:
            break
        if inside.may_hold(item):
            walk.waiting.append((item, path.element(label, index=index)))
    if keys := containers.keys_of(container):
        way = path.element("[...]", index=True)
        walk.nameless.extend((key, way) for key in keys)
    walk.attributes(container, inside.own_attributes(container).items(), path)


def _wrapper(walk: Walk, value: Any, path: Path) -> None:
    """The container in it goes by its name."""
    container, own = containers.wrapped(value), inside.own_attributes(value)
    if container is not value:
        _elements(walk, container, path, of=value)
    walk.attributes(value, [each for each in list(own.items()) if each[1] is not container], path)


def _buffer(walk: Walk, iterator: Any, path: Path) -> None:
    values, source = buffered(iterator)
    _elements(walk, values, path)
    path.container, path.classes = "tee", ()
    walk.waiting.append((source, path.within()))


def _queue(walk: Walk, queue: Any, path: Path) -> None:
    kept = queued(queue)
    if kept is None:
        _object(walk, queue, path)
        return
    values, within = kept
    _elements(walk, values, path)
    path.container = type(queue).__name__
    rest = inside.own_attributes(queue).items()
    walk.attributes(queue, [each for each in list(rest) if each[1] is not within], path)


def _cache(walk: Walk, function: Any, path: Path) -> None:
    walk.found.container(cached(function), path)
    _object(walk, function, path)


def _array(walk: Walk, array: Any, path: Path) -> None:
    things, labels = objects_in(array)
    if not things:
        walk.found.block(int(array.nbytes), path)
        return
    path.container, path.size = "ndarray", len(things)
    walk.found.container(things, path)
    for label, item in zip(labels, things, strict=True):
        if inside.may_hold(item):
            walk.waiting.append((item, path.element(label, index=True)))


def _block(walk: Walk, value: Any, path: Path) -> None:
    walk.found.block(sys.getsizeof(value), path)


def _object(walk: Walk, value: Any, path: Path) -> None:
    """An object's own attributes; of a module, its children by their plain names."""
    plain: list[tuple[str, Any]] = []
    hooked: list[tuple[Any, Path]] = []
    for name, item in list(inside.own_attributes(value).items()):
        if name in _CHILDREN and issubclass(type(item), dict):
            plain += dict.items(item)
        elif not (name.endswith("_hooks") and issubclass(type(item), dict)):
            plain.append((name, item))
        elif hooks := list(dict.values(item)):
            way = path.to(name, ()).within(_ON_A_MODULE)
            hooked += [(hook, way) for hook in hooks]
    walk.attributes(value, plain, path)
    walk.waiting.extend(hooked)
    walk.attributes(value, inside.slots(value), path)
    if issubclass(type(value), type):
        if is_own(inside.file_of(value)):
            walk.attributes(value, list(vars(value).items()), path)
    else:
        walk.waiting.extend((item, path.within()) for item in inside.referents(value))


def _of_this_thread(walk: Walk, value: Any, path: Path) -> None:
    """A threading.local keeps its attributes in one dict for each thread."""
    for every in gc.get_referents(value):
        for own in list(every.values()) if type(every) is dict else ():
            if type(own) is dict:
                walk.attributes(value, own.items(), path)


def _of_this_context(walk: Walk, variable: contextvars.ContextVar[Any], path: Path) -> None:
    """A context's variable: what it is in the context of the thread that looks."""
    value = variable.get(None)
    if inside.may_hold(value):
        walk.waiting.append((value, path.within()))


def _token(walk: Walk, token: contextvars.Token[Any], path: Path) -> None:
    """It keeps what the variable was before; what it is now is the variable's, not the token's."""
    walk.attributes(token, (("old_value", token.old_value),), path)


def _resumable(walk: Walk, value: Any, path: Path) -> None:
    """A generator or coroutine that waits keeps its locals."""
    for attribute in ("gi_frame", "cr_frame", "ag_frame"):
        frame = getattr(value, attribute, None)
        if frame is not None and is_own(frame.f_code.co_filename):
            walk.frame(frame, path)


def _function(walk: Walk, value: Any, path: Path) -> None:
    """A function's closure and defaults, a method's object, a partial's arguments."""
    if path.via in (ON_A_TENSOR, _ON_A_MODULE) and (bound := inside.bound_by(value)) is not None:
        given, code = bound  # as if the hook closed over it
        walk.names(given, code.co_filename, code, f"a partial of `{code.co_name}`", path)
        value = value.func
    for part, is_code in inside.unwrapped(value):
        if is_code:
            _function(walk, part, path)
        elif inside.may_hold(part):
            walk.waiting.append((part, path.within()))
    if type(value) is not types.FunctionType:
        walk.attributes(value, inside.own_attributes(value).items(), path)  # a partial's own
        return
    code = value.__code__
    closed = inside.closed_over(value)
    if not is_own(code.co_filename):  # a library's wrapper around what it was given
        held = [item for item in closed.values() if inside.may_hold(item)]
        walk.waiting.extend((item, path.within()) for item in held)
        return
    walk.names(closed, code.co_filename, code, f"the closure of `{code.co_name}`", path)
    walk.attributes(value, value.__dict__.items(), path)
    defaults = inside.defaults_of(value)
    walk.names(defaults, code.co_filename, code, f"a default of `{code.co_name}`", path)


def _exception(walk: Walk, error: BaseException, path: Path) -> None:
    """An exception kept by a name keeps the frames of its traceback, and those that called them."""
    walk.attributes(error, inside.own_attributes(error).items(), path)
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
