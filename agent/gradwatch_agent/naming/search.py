"""The search for names: its beginnings and its end. The walk itself is in `walk`."""

from __future__ import annotations

import gc
import types
from collections.abc import Callable

from gradwatch_agent.naming.found import Found
from gradwatch_agent.naming.frames import alone
from gradwatch_agent.naming.orphans import orphans
from gradwatch_agent.naming.paths import Path
from gradwatch_agent.naming.walk import Walk
from gradwatch_agent.torch_seam import plainly


def search(
    found: Found, skip: types.FrameType | None = None, *, closely: bool = False
) -> dict[str, list[Path]]:
    """Tells of everything that names lead to. `skip` and all frames below it are the agent's.

    `closely`: looks for generators and coroutines besides that wait without a name; in a process
    of a million objects that costs some 90 ms.

    Returns the other names of what was met by more than one, by the first.
    """
    return _run(found, lambda walk: walk.begin(skip, closely=closely))


def search_orphans(found: Found) -> dict[str, list[Path]]:
    """Tells of what lies behind objects that keep themselves alive: closures, contexts.

    Of nothing while other threads train: some of it might be theirs.
    """
    return _run(found, lambda walk: walk.begin_with(orphans() if alone() else []))


def _run(found: Found, begin: Callable[[Walk], None]) -> dict[str, list[Path]]:
    walk = Walk(found)
    collecting = gc.isenabled()
    gc.disable()  # the many small objects made here would set off collections of all others
    try:
        with plainly():
            begin(walk)
            walk.run()
        return walk.aliases
    finally:
        walk.clear()
        if collecting:
            gc.enable()
