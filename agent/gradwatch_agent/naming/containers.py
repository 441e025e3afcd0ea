"""What a container holds, and which of Python's own kinds it is, read without running any code of
its class. Whatever can change is copied at once: other threads go on while it is read.
"""

from __future__ import annotations

import gc
from collections import UserDict, UserList, deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice, takewhile
from types import MappingProxyType
from typing import Any, Final

from gradwatch_agent.naming.inside import (
    MOST_ELEMENTS,
    is_internal,
    may_hold,
    own_attributes,
)

SEQUENCES: Final[tuple[Any, ...]] = (list, tuple, set, frozenset, deque)

CONTAINERS: Final[tuple[Any, ...]] = (dict, *SEQUENCES)

WRAPPERS: Final[tuple[Any, ...]] = (UserDict, UserList, MappingProxyType)
"""Of the standard library, classes whose objects are containers by what lies in their `data`, or by
the dict that they are a view of. Never to be asked whether something is one of them: that would run
code of whoever made a subclass."""


def elements(container: Any) -> list[Any]:
    """What a container holds (of a dict, its values), whatever its class would say."""
    if issubclass(type(container), dict):
        return list(dict.values(container))
    return list(_at_once(_plain(container).__iter__, container))


def first(container: Any) -> Any:
    """The first of those, or None."""
    if issubclass(type(container), dict):
        return next(_at_once(iter, dict.values(container)), None)
    return next(_at_once(_plain(container).__iter__, container), None)


def newest_key(mapping: Any) -> Any:
    """The key that a dict was given last, or None."""
    return next(_at_once(reversed, dict.keys(mapping)), None)


def _at_once(begun: Callable[[Any], Iterator[Any]], things: Any) -> Iterator[Any]:
    """An iteration that begins only when it is asked for something: in the same call of C's, so
    that no other thread comes between.
    """
    return chain.from_iterable(map(begun, (things,)))


def size_of(container: Any) -> int:
    """How many those are."""
    return int(_plain(container).__len__(container))


def labelled(container: Any) -> Iterator[tuple[str, bool, Any]]:
    """The newest elements, each with how it is asked for and whether that is one of many."""
    if issubclass(type(container), dict):
        first = max(size_of(container) - MOST_ELEMENTS, 0)
        for key, item in islice(dict.copy(container).items(), first, None):
            if type(key) is str:
                yield f"[{key!r}]", False, item
            else:
                yield _label(key), True, item
        return
    items = elements(container)
    for number in newest_places(items, MOST_ELEMENTS):
        yield f"[{number}]", True, items[number]


def newest_places(items: Sequence[Any], most: int) -> Sequence[int]:
    """Where so many of the newest lie: at the end; or, where slots were made ahead that are filled
    from the front on, at the end of those.
    """
    first = max(len(items) - most, 0)
    if first and may_hold(items[0]) and not may_hold(items[-1]):
        return [place for place, item in enumerate(items) if may_hold(item)][-most:]
    return range(first, len(items))


def keys_of(container: Any) -> list[Any]:
    """The newest keys of a dict that may hold something."""
    if not issubclass(type(container), dict):
        return []
    return [key for key in list(dict.keys(container))[-MOST_ELEMENTS:] if may_hold(key)]


def fields_of(kind: type) -> tuple[str, ...]:
    """The fields of a namedtuple's class."""
    if not issubclass(kind, tuple):
        return ()
    owners = type.__getattribute__(kind, "__mro__")[:-2]
    own = (type.__getattribute__(owner, "__dict__").get("_fields") for owner in owners)
    found = next((each for each in own if type(each) is tuple), ())
    return found if all(type(each) is str for each in found) else ()


def classes_of(kind: type) -> tuple[str, ...]:
    """Of a container's own class, that, its bases, and the kind of Python's own that it is one of;
    nothing of such a kind itself.
    """
    mro = type.__getattribute__(kind, "__mro__")
    own = list(takewhile(lambda base: not _is_pythons(base), mro))
    return tuple(base.__name__ for base in (*own, _kind_of(mro))) if own else ()


def _is_pythons(base: type) -> bool:
    return is_internal(base) or any(base is kind for kind in (*CONTAINERS, *WRAPPERS))


def _kind_of(mro: tuple[type, ...]) -> type:
    return next(base for base in mro if any(base is kind for kind in (*CONTAINERS, *WRAPPERS)))


def is_wrapper(kind: type) -> bool:
    """Whether objects of the type are of such a class."""
    mro = type.__getattribute__(kind, "__mro__")
    return any(base is wrapper for base in mro for wrapper in WRAPPERS)


def wrapped(value: Any) -> Any:
    """The container within such an object; anything else as it is."""
    data = value
    if type(value) is MappingProxyType:
        data = next(iter(gc.get_referents(value)), None)
    elif is_wrapper(type(value)):
        data = own_attributes(value).get("data")
    return data if issubclass(type(data), CONTAINERS) else value


def _plain(container: Any) -> Any:
    """The builtin container that it is one of."""
    kind = type(container)
    return kind if kind in CONTAINERS else next(k for k in CONTAINERS if issubclass(kind, k))


def _label(key: Any) -> str:
    """How an element is asked for; a key of a kind not known is not asked for its name."""
    return f"[{key!r}]" if type(key) in (str, int, float, bool) else "[...]"
