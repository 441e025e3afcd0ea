"""For objects that are put where they stay before the loss is made of what they carry: detached as
they are stored, they would train nothing. Pure but for reading.
"""

from __future__ import annotations

from collections.abc import Iterator

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.rewriting import is_bare
from gradwatch_agent.advice.stored import ASSIGNING, stored
from gradwatch_agent.advice.timing import GO_ON
from gradwatch_agent.advice.whole import each_cut
from gradwatch_agent.source.flow.onward import is_done_last
from gradwatch_agent.source.gradients.walked import is_walked
from gradwatch_agent.source.stored.stores import Store, attribute


def cut_once_trained(kept: Kept, store: Store) -> str | None:
    """What detaches the newest of them once backward is done; None where no backward walks what
    they carry, or where they are stored behind it.
    """
    inner, in_order = kept.labels[1:2], kept.kinds[:1] in (("list",), ("deque",))
    if not in_order or kept.gaps or kept.frozen or kept.hidden:
        return None
    if not (inner and inner[0].startswith(".")):
        return None
    if not is_bare(stored(store)) and store.how not in ASSIGNING:
        return None  # made as it is put there: nobody else has it
    if is_done_last(store.file, store.line, kept.files):
        return None
    if not any(is_walked(each, {attribute(each)}, kept.files) for each in _attributes(kept)):
        return None
    cut = (f"last.{each} = {_cut(kept, each)}" for each in _attributes(kept))
    return f"{GO_ON}`last = {kept.expression}[-1]; {'; '.join(cut)}`."


def _attributes(kept: Kept) -> Iterator[str]:
    """Those by which they carry graphs."""
    own = kept.labels[1][1:]
    beside = (each[1:] for each in kept.beside if each[:1] == "." and len(kept.labels) == 2)
    yield from dict.fromkeys((own, *beside))


def _cut(kept: Kept, name: str) -> str:
    kinds = kept.kinds[1:] if name == kept.labels[1][1:] else ()
    return each_cut(f"last.{name}", kinds, 0, lambda each: f"{each}.detach()")
