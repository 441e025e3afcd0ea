"""Where a graph gets into an object that a container is given ready-made.

`closed.extend(open.values())` merely moves tracks; `track.hits.append(Hit(frame, score))` is where
`score.detach()` can be written.
"""

from __future__ import annotations

import dataclasses
import itertools

from gradwatch_agent.advice.kept import Kept
from gradwatch_agent.advice.returning import handed_back
from gradwatch_agent.advice.storing import without_graph
from gradwatch_agent.diagnosis.place.known import Known, kept
from gradwatch_agent.diagnosis.place.stored import best, candidates
from gradwatch_agent.naming import own_files
from gradwatch_agent.source.gradients.training import trains_by
from gradwatch_agent.source.stored.stores import Store


def where_put_in(store: Store, thing: Kept, known: Known) -> tuple[Store, Kept]:
    """The statement that puts the graph into the object, and what is known of where it puts it; the
    same as were given where those that store can be told to store no graph, or the loss trains by
    what lies there.
    """
    if without_graph(thing, store) is not None or handed_back(thing, store) is not None:
        return store, thing
    way = itertools.takewhile(lambda step: step is not known.path, known.example.back())
    for step in [step for step in way if step.label.startswith(".") and step.container][::-1]:
        if trains_by(step.name, own_files()):
            continue
        inner = dataclasses.replace(known, path=step)
        found = candidates(step)
        put = best(found, step, known.made, known.used, inside=True)
        within = kept(inner, found)
        if put is not None and put.adds and without_graph(within, put) is not None:
            return put, within
    return store, thing
