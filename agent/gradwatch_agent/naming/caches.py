"""What `functools.lru_cache` keeps, and how much of it at most."""

from __future__ import annotations

import functools
import gc
from itertools import pairwise
from typing import Any, Final

from gradwatch_agent.naming.buffers import Buffer
from gradwatch_agent.naming.inside import MOST_ELEMENTS, own_attributes

CACHE: Final[type] = type(functools.lru_cache(maxsize=1)(len))
_LINK: Final = "_lru_list_elem"


class Cached(Buffer):
    """Pairs of what such a function was asked with, and what it gave."""


def cached(function: Any) -> Cached:
    """All that it keeps, the newest last; of many the newest."""
    found, own = Cached(), own_attributes(function)
    known = gc.get_referents(function)
    for each in known:
        if type(each) is dict and each is not own:
            items = list(dict.copy(each).items())
            linked = any(type(value).__name__ == _LINK for _, value in items)
            pairs = _linked(known, [key for key, _ in items]) if linked else items
            found.extend(pairs[-MOST_ELEMENTS:])
    found.most = CACHE.cache_info(function).maxsize  # type: ignore[attr-defined]
    return found


def _linked(known: list[Any], keys: list[Any]) -> list[tuple[Any, Any]]:
    """What a bounded cache keeps: in links of a list, from the next to be dropped to the newest, of
    which the cache itself tells the collector, each a key and its result.
    """
    ours = set(map(id, keys))
    return [(key, result) for key, result in pairwise(known) if id(key) in ours]
