"""Whether the loss trains by a field of the records that are kept: it must keep its graph, and the
records must go. Pure but for reading.
"""

from __future__ import annotations

import re

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.stored import inner_labels
from gradwatch_agent.source.gradients.training import trains_by
from gradwatch_agent.source.stored.stores import Store, known_places, targets_at
from gradwatch_agent.source.syntax.vocabulary import ADDING


def is_trained_by(kept: Kept, store: Store) -> bool:
    """Whether a field that keeps graphs, of what the statement adds, is read to train by it."""
    labels = inner_labels(kept, store) if store.how in ADDING else ()
    found = (re.search(r"[.:](\w+)\]?$", each) for each in (*labels, *kept.beside) if labels)
    names = {each[1] for each in found if each}
    places = known_places(targets_at(store.file, store.line), kept.files) if names else ()
    return any(trains_by(name, kept.files, places) for name in names)
