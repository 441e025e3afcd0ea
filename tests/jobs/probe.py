"""A plain walk of every graph that a backward is called on, beneath the agent and without it.

Owns the truth that the agent's counts are held against: shares nothing with the agent's own way
of counting. Writes nothing; hands on what it saw.
"""

from __future__ import annotations

import functools
import itertools
import threading
from collections.abc import Callable

import msgspec
import torch

from gradwatch_agent import wire

KEY = "probe"

_numbers = itertools.count(1)


class Walk(msgspec.Struct, tag="walk", frozen=True):
    """One backward: a number for each node that its roots reach, its own as long as it lives."""

    nodes: tuple[int, ...]


class Line(msgspec.Struct, frozen=True):
    """What was said or seen, in order, and in which thread."""

    thread: int
    what: wire.Message | Walk


def line(what: wire.Message | Walk) -> Line:
    return Line(threading.get_ident(), what)


def walked(outputs: object) -> Walk:
    waiting = [output.grad_fn for output in outputs]
    seen: dict[object, int] = {}
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen[node] = node.metadata.setdefault(KEY, next(_numbers))
        waiting += [child for child, _ in node.next_functions]
    leaves = {node for node in seen if node.name().endswith("AccumulateGrad")}
    if leaves == set(seen):  # a root that is a leaf is no graph
        return Walk(())
    return Walk(tuple(seen.values()))


def install(hear: Callable[[Line], None]) -> Callable[[], None]:
    """Looks before every outermost backward; gives what takes it back."""
    engine = torch.autograd._engine_run_backward

    @functools.wraps(engine)
    def looked(outputs, *args, **kwargs):
        if torch._C._current_graph_task_id() == -1:  # no backward within a backward
            hear(line(walked(outputs)))
        return engine(outputs, *args, **kwargs)

    def remove() -> None:
        torch.autograd._engine_run_backward = engine

    torch.autograd._engine_run_backward = looked
    return remove
