"""The census against a walk of the whole graph, on random jobs that carry graphs over.

The walk shares nothing with the agent: it tells old nodes from new by marks of its own, put on
every node in the iteration that built it, and reads saved tensors by unpacking them.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from gradwatch_agent import torch_seam
from gradwatch_agent.graph import below
from gradwatch_agent.graph.census import Census
from gradwatch_agent.graph.lineage import Lineage

BUILT, SEEN = "test.built", "test.seen"
OPERATIONS = {
    "add": lambda a, b: a + b,
    "mul": lambda a, b: a * b,
    "sin": lambda a, b: a.sin(),
    "exp": lambda a, b: (a * 0.01).exp(),
    "square": lambda a, b: a * a,
    "stack": lambda a, b: torch.stack([a, b, a]).mean(0),
    "max": torch.maximum,
    "inplace": lambda a, b: a.clone().mul_(b),
    "view": lambda a, b: torch.cat([a[:1], b[1:]]),
    "norm": lambda a, b: torch.nn.functional.layer_norm(a, (2,)),
    "linear": lambda a, b: torch.nn.functional.linear(a, torch.stack([b, b]), a),
}


@dataclass(frozen=True)
class Plan:
    """One iteration; tensors are named by how many places they lie back."""

    steps: list[tuple[str, int, int]]
    losses: list[list[int]]
    carries: list[int]
    detached: bool
    keeps: int
    """How many of the tensors carried so far stay."""


def plans(most_losses: int) -> st.SearchStrategy[list[Plan]]:
    back = st.integers(0, 12)
    plan = st.builds(
        Plan,
        steps=st.lists(
            st.tuples(st.sampled_from(sorted(OPERATIONS)), back, back), min_size=1, max_size=8
        ),
        losses=st.lists(st.lists(back, min_size=1, max_size=3), max_size=most_losses),
        carries=st.lists(back, max_size=3),
        detached=st.sampled_from([False, False, False, True]),
        keeps=st.integers(0, 2),
    )
    return st.lists(plan, min_size=3, max_size=10)


class Walk:
    """Everything that some tensors reach."""

    def __init__(self, tensors: list[torch.Tensor]) -> None:
        waiting = [tensor.grad_fn for tensor in tensors if tensor.grad_fn is not None]
        self.nodes = set(waiting)
        while waiting:
            children = {node for node, _ in waiting.pop().next_functions if node} - self.nodes
            self.nodes |= children
            waiting += children
        self.leaves = {node for node in self.nodes if hasattr(node, "variable")}
        self.inner = self.nodes - self.leaves

    def mark(self, key: str, number: int) -> None:
        for node in self.inner:
            node.metadata.setdefault(key, number)

    def counted(self, number: int) -> dict[str, object]:
        """What the agent's record of iteration `number` must say."""
        stale = {node for node in self.inner if node.metadata[BUILT] < number}
        seen = [node.metadata[SEEN] for node in stale if node.metadata.get(SEEN, number) < number]
        if not seen:  # old for sure, or another thread's?
            stale = set()
        storages = _storages(self.nodes) - {
            (leaf.variable.untyped_storage().data_ptr(), leaf.variable.untyped_storage().nbytes())
            for leaf in self.leaves
        }
        return {
            "reached": len(self.nodes),
            "stale": len(stale),
            "oldest": min((node.metadata[BUILT] for node in stale), default=None),
            "proven": min(seen, default=None),
            "types": dict(Counter(type(node).__name__ for node in self.nodes)),
            "storages": len(storages),
            "saved_bytes": sum(size for _, size in storages),
        }


def _storages(nodes: set) -> set[tuple[int, int]]:
    """Address and size of all that the nodes saved."""
    saved = [
        getattr(node, name) for node in nodes for name in dir(node) if name.startswith("_saved_")
    ]
    tensors = [
        item
        for value in saved
        for item in (value if isinstance(value, tuple) else (value,))
        if isinstance(item, torch.Tensor)
    ]
    storages = (tensor.untyped_storage() for tensor in tensors)
    return {(storage.data_ptr(), storage.nbytes()) for storage in storages}


class Job:
    """Runs plans, and counts before each backward as the agent does, and by the walk."""

    def __init__(self) -> None:
        self.told: list[dict[str, object]] = []
        self.expected: list[dict[str, object]] = []
        self._lineage = Lineage(torch_seam.sequence_number())
        self._census = Census(self._lineage)
        self._leaves = [torch.rand(2, requires_grad=True) for _ in range(3)]
        self._constants = [torch.rand(2) for _ in range(2)]
        self._carried: list[torch.Tensor] = []

    def iterate(self, plan: Plan) -> None:
        number = self._lineage.current
        pool = self._leaves + self._constants + self._carried
        first = len(pool)
        for operation, left, right in plan.steps:
            pool.append(OPERATIONS[operation](pool[_back(left, pool)], pool[_back(right, pool)]))
        Walk(pool).mark(BUILT, number)
        losses = [
            torch.stack([pool[_back(i, pool)] for i in chosen]).sum() for chosen in plan.losses
        ]
        losses = [loss for loss in losses if loss.requires_grad]
        Walk(losses).mark(BUILT, number)
        self._count(losses, number)
        new = pool[first:]
        carried = [new[_back(i, new)] for i in plan.carries]
        kept = self._carried[len(self._carried) - min(plan.keeps, len(self._carried)) :]
        self._carried = kept + [tensor.detach() if plan.detached else tensor for tensor in carried]
        self._lineage.begin(torch_seam.sequence_number())
        self._census.begin()

    def _count(self, losses: list[torch.Tensor], number: int) -> None:
        walk = Walk(losses)
        expected = walk.counted(number)
        for loss in losses:
            self._lineage.mark(loss.grad_fn)
            self._census.look([loss.grad_fn], check_new=False)
            loss.backward(retain_graph=True)
        walk.mark(SEEN, number)
        counts = self._census.counts()
        self.expected.append(expected)
        self.told.append({name: getattr(counts, name) for name in expected})


def _back(places: int, pool: list[torch.Tensor]) -> int:
    return -1 - places % len(pool)


def compare(plans: list[Plan]) -> None:
    job = Job()
    for plan in plans:
        job.iterate(plan)
    assert job.told == job.expected


@settings(max_examples=100, deadline=None)
@given(plans(most_losses=1))
def test_one_backward_an_iteration(plans):
    compare(plans)


@settings(max_examples=50, deadline=None)
@given(plans(most_losses=1))
def test_the_same_when_nothing_is_remembered_for_long(plans):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(below, "_MEMORY", 1)
        compare(plans)


@settings(max_examples=50, deadline=None)
@given(plans(most_losses=3))
def test_several_backwards_over_graphs_of_their_own_iteration(plans):
    compare([replace(plan, detached=True) for plan in plans])


@settings(max_examples=50, deadline=None)
@given(plans(most_losses=1))
def test_two_backwards_of_one_loss_count_once(plans):
    compare([replace(plan, losses=plan.losses * 2) for plan in plans])
