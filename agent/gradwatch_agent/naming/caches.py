"""What `functools.lru_cache` keeps, and how much of it at most."""

from __future__ import annotations

import functools
import gc
from itertools import islice
from typing import Any, Final

from gradwatch_agent.naming.buffers import Buffer
from gradwatch_agent.naming.inside import MOST_ELEMENTS, own_attributes

CACHE: Final[type] = type(functools.lru_cache(maxsize=1)(len))
_LINK: Final = "_lru_list_elem"


class Cached(Buffer):
    """Pairs of what such a function was asked with, and what it gave."""


def cached(function: Any) -> Cached:
    """All that it keeps, the newest last as far as a dict tells; of many the newest."""
    found, own = Cached(), own_attributes(function)
    contents = [each for each in gc.get_referents(function) if type(each) is dict]
    for each in contents:
        if each is not own:
            items = dict.copy(each).items()
            found.extend(map(_pair, islice(items, max(len(items) - MOST_ELEMENTS, 0), None)))
    found.most = CACHE.cache_info(function).maxsize  # type: ignore[attr-defined]
    return found


def _pair(item: tuple[Any, Any]) -> tuple[Any, ...]:
    """With its result; a bounded cache has that in a link of a list, from the next to be dropped to
    the newest.
    """
    key, value = item
    if type(value).__name__ != _LINK:
        return item
    return (key, *(each for each in gc.get_referents(value) if each is not key))
