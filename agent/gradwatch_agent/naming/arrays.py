"""Arrays of objects: numpy keeps tensors as well as a list does."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

from gradwatch_agent.naming.buffers import Buffer
from gradwatch_agent.naming.inside import MOST_ELEMENTS


def is_array(kind: type) -> bool:
    """Whether objects of the type are numpy's; which is not imported for it."""
    numpy = sys.modules.get("numpy")
    return numpy is not None and kind is getattr(numpy, "ndarray", None)


def objects_in(array: Any) -> tuple[Buffer, Iterator[str]]:
    """Its first elements, and how each is asked for; none where they are numbers."""
    if array.dtype.kind != "O":
        return Buffer(), iter(())
    things = Buffer(array.ravel()[:MOST_ELEMENTS].tolist())
    places = islice(sys.modules["numpy"].ndindex(array.shape), len(things))
    return things, (f"[{', '.join(map(str, place)) or '()'}]" for place in places)
