"""What is kept for the one that lags behind: `itertools.tee` buffers what only one of two has
taken, in blocks that are linked one to the next; a queue, what nobody has taken yet; a log's
handler, what it has not yet passed on.
"""

from __future__ import annotations

import gc
import itertools
import sys
from typing import Any, Final

from gradwatch_agent.naming.containers import CONTAINERS, elements
from gradwatch_agent.naming.inside import own_attributes

TEE: Final[type] = type(itertools.tee(())[0])
_BLOCK: Final[type] = type(gc.get_referents(itertools.tee(())[0])[-1])

_MOST: Final = 100_000
"""Values gathered; some 15 ms."""

_BLOCK_SIZE: Final = 57
"""How many an iterator may keep that lags behind by none: a block is let go of as a whole."""


_QUEUES: Final = frozenset(("queue", "asyncio.queues"))
"""Modules of the standard library's queues; not imported for that."""


_LOGGING: Final = frozenset(("logging", "logging.handlers", "builtins"))

_FLUSHING: Final = ("emit", "shouldFlush", "flush")
"""Methods by which a handler lets go of what it has gathered: of one that has its own, nothing is
known."""


class Buffer(list[Any]):
    """The values that something keeps which is no list; one for as long as it is looked at."""

    most: int | None = None
    """How many it may keep, if that is known."""


def buffered(iterator: Any) -> tuple[Buffer, Any]:
    """All that a tee'd iterator keeps, what comes next first; and what both take from."""
    values, source = Buffer(), None
    block = _last_block(gc.get_referents(iterator))
    while block is not None and len(values) < _MOST:
        referents = [each for each in gc.get_referents(block) if type(each) is not type]
        source, kept = next(iter(referents), None), referents[1:]
        block = _last_block(kept)
        values.extend(kept if block is None else kept[:-1])
    values.most = _BLOCK_SIZE if len(values) <= _BLOCK_SIZE else None
    return values, source


def _last_block(referents: list[Any]) -> Any:
    """The block that comes next, if there is one."""
    return referents[-1] if referents and type(referents[-1]) is _BLOCK else None


def is_queue(kind: type) -> bool:
    """Whether it is one of the standard library's, or made of one."""
    mro = type.__getattribute__(kind, "__mro__")
    modules = (type.__getattribute__(each, "__module__") for each in mro[:-1])
    return any(isinstance(module, str) and module in _QUEUES for module in modules)


def queued(queue: Any) -> tuple[Buffer, Any] | None:
    """What waits in one that is made to hold so many, and what it waits in; None if it is not."""
    own = own_attributes(queue)
    most, waiting = own.get("maxsize", own.get("_maxsize")), own.get("queue", own.get("_queue"))
    if type(most) is not int or most <= 0 or not issubclass(type(waiting), CONTAINERS):
        return None
    values = Buffer(elements(waiting))
    values.most = most
    return values, waiting


def gathers_records(kind: type) -> bool:
    """Whether it is a handler that lets go of its records when it has as many as it is made for."""
    buffering = getattr(sys.modules.get("logging.handlers"), "BufferingHandler", None)
    mro = type.__getattribute__(kind, "__mro__")
    if not any(each is buffering for each in mro):
        return False
    theirs = (e for e in mro if type.__getattribute__(e, "__module__") not in _LOGGING)
    own = {name for each in theirs for name in type.__getattribute__(each, "__dict__")}
    return own.isdisjoint(_FLUSHING)


def gathered(handler: Any) -> Buffer | None:
    """Its records; None where nobody takes them, and so they stay."""
    own = own_attributes(handler)
    most, records = own.get("capacity"), own.get("buffer")
    stays = "target" in own and own["target"] is None
    if stays or type(most) is not int or type(records) is not list:
        return None
    values = Buffer(records)
    values.most = most
    return values
