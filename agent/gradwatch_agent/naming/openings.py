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
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from gradwatch_agent.lines.sites import is_own
from gradwatch_agent.naming import containers, inside
from gradwatch_agent.naming.arrays import is_array, objects_in
from gradwatch_agent.naming.buffers import (
    TEE,
    buffered,
    gathered,
    gathers_records,
    is_queue,
    queued,
)
from gradwatch_agent.naming.caches import CACHE, cached
from gradwatch_agent.naming.callables import (
    ON_A_MODULE,
    into_context,
    into_exception,
    into_function,
    into_resumable,
    into_token,
)
from gradwatch_agent.naming.captured import RESUMABLE
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.torch_seam import Node, is_there

if TYPE_CHECKING:
    from gradwatch_agent.naming.walk import Walk

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
        return into_function
    if issubclass(kind, RESUMABLE):
        return into_resumable
    if issubclass(kind, BaseException):
        return into_exception
    if issubclass(kind, threading.local):
        return _of_this_thread
    if kind is TEE:
        return _buffer
    if kind is CACHE:
        return _cache
    if is_queue(kind):
        return _queue
    if gathers_records(kind):
        return _handler
    if is_array(kind):
        return _array
    if kind is io.BytesIO or kind in inside.TEXTS:
        return _block
    if kind is contextvars.ContextVar:
        return into_context
    if kind is contextvars.Token:
        return into_token
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


def _handler(walk: Walk, handler: Any, path: Path) -> None:
    """Of a log's that gathers records until it has enough."""
    records = gathered(handler)
    if records is None:
        _object(walk, handler, path)
        return
    way = path.to("buffer", ())
    _elements(walk, records, way)
    way.container = "list"
    rest = inside.own_attributes(handler).items()
    walk.attributes(handler, [each for each in list(rest) if each[0] != "buffer"], path)


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
            way = path.to(name, ()).within(ON_A_MODULE)
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
