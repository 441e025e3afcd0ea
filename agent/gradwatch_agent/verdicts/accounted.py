"""What of a climb of memory the graphs that pile up account for. Pure."""

from __future__ import annotations

import dataclasses

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


def with_forecast(graph: Case, climb: Climb) -> Case:
    """The graph's case with what it costs and when memory will be full."""
    return dataclasses.replace(
        graph,
        level="critical",
        bytes_per_iteration=graph.bytes_per_iteration or climb.slope_per_iteration,
        eta_iterations=climb.eta_iterations() or graph.eta_iterations,
    )
