"""What of a climb of memory the graphs that pile up account for. Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from gradwatch_agent.verdicts.case import Case
from gradwatch_agent.verdicts.climb import Climb

_NODE_BYTES = 1_000
"""Host memory of a node with its Python and C++ parts, generously: what a leak of nodes
explains of a climb."""

_EXPLAINS = 4
"""A climb up to this many times what a graph accounts for is put down to that graph."""


def explains(graph: Case, climb: Climb) -> bool:
    """Whether the climb is no more than what the graph makes."""
    slope = climb.slope_per_iteration
    if slope is None:
        return False
    if graph.bytes_per_iteration is None:
        return True  # what the kept graphs weigh is not known, only that they do
    known = (graph.nodes_per_iteration or 0) * _NODE_BYTES + graph.bytes_per_iteration
    return slope <= _EXPLAINS * known


def is_of_graphs(climb: Case, cases: Iterable[Case]) -> bool:
    """Whether what grows while memory climbs is told to hold graphs, or has what does within:
    `taps` grows, and `taps['student']` holds them. A hint says no more than a hint.
    """
    if climb.kind != "memory-climb" or climb.holder is None:
        return False
    return any(
        graph.kind in ("graph-held", "graph-chain")
        and (graph.level != "info" or climb.level == "info")
        and graph.holder is not None
        and _are_of_one(climb.holder, graph.holder)
        for graph in cases
    )


def _are_of_one(first: str, second: str) -> bool:
    shorter, longer = sorted((first, second), key=len)
    return longer.startswith(shorter) and longer[len(shorter) :][:1] in ("", ".", "[")


def with_forecast(graph: Case, climb: Climb) -> Case:
    """The graph's case with what it costs and when memory will be full."""
    return dataclasses.replace(
        graph,
        level="critical",
        bytes_per_iteration=graph.bytes_per_iteration or climb.slope_per_iteration,
        eta_iterations=climb.eta_iterations() or graph.eta_iterations,
    )
