"""Whether the loss trains by a part of the records that are kept: it must keep its graph, and the
records must go. Pure but for reading.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.stored import inner_labels
from gradwatch_agent.source.gradients.training import reads_cut_alone, trains_by, trains_by_part
from gradwatch_agent.source.stored.stores import Place, Store, known_places, targets_at
from gradwatch_agent.source.syntax.vocabulary import ADDING


def is_trained_by(kept: Kept, store: Store) -> bool:
    """Whether a part that keeps graphs, of what the statement adds, is read to train by it."""
    labels = inner_labels(kept, store) if store.how in ADDING else ()
    if not labels:
        return False
    places = known_places(targets_at(store.file, store.line), kept.files)
    return any(_trains(each, places, kept.files) for each in {labels[-1], *kept.beside})


def is_read_cut(kept: Kept, store: Store) -> bool:
    """Whether the fields that keep graphs, of the records that the statement adds, are read
    detached wherever they are read.
    """
    labels = inner_labels(kept, store) if store.how in ADDING else ()
    fields = [re.search(r"[.:](\w+)\]?$", each) for each in {*labels[-1:], *kept.beside}]
    places = known_places(targets_at(store.file, store.line), kept.files) if labels else ()
    return bool(labels) and all(
        each is not None and reads_cut_alone(each[1], kept.files, places) for each in fields
    )


def _trains(label: str, places: Collection[Place], files: Collection[str]) -> bool:
    """The same of one: a record's field, or a place in a tuple."""
    part = re.fullmatch(r"\[(\d+)(?::\w+)?\]", label)
    name = re.search(r"[.:](\w+)\]?$", label)
    if part is not None and trains_by_part(int(part[1]), files, places):
        return True
    return name is not None and trains_by(name[1], files, places)
