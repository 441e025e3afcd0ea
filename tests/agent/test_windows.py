"""How long is waited for a chain through a container to end, by how much that one may hold."""

from __future__ import annotations

from collections import deque

import pytest
import torch

import gradwatch_agent

ALL = 60


def trains(weight: torch.Tensor, window) -> torch.Tensor:
    """One iteration; hands back what is kept of it, which was made of nothing earlier."""
    fresh = weight * torch.randn(3)
    (fresh.sum() + sum(each.sum() for each in window)).backward(retain_graph=True)
    with torch.no_grad():
        weight -= 0.01
    gradwatch_agent.iteration()
    return fresh


def of_a_long_deque(weight):
    queue = deque(maxlen=100)
    for _ in range(ALL):
        queue.append(trains(weight, queue))


class Bank:
    def __init__(self, size):
        self.size, self.bank = size, []

    def push(self, fresh):
        self.bank.append(fresh)
        if len(self.bank) > self.size:
            self.bank.pop(0)


def of_a_long_list(weight):
    keeps = Bank(100)
    for _ in range(ALL):
        keeps.push(trains(weight, keeps.bank))


class Fast:
    """What takes its place is chosen from what it begins with, never from itself."""

    def __init__(self, layer):
        self.fast = {n: p for n, p in layer.named_parameters() if p.requires_grad}

    def step(self, weight):
        updated = {}
        for name, each in self.fast.items():
            updated[name] = each * 1.0 + weight.sum()
        trains(weight, updated.values())
        self.fast = updated


def of_what_was_chosen_elsewhere(weight):
    fast = Fast(torch.nn.Linear(3, 3))
    for _ in range(ALL):
        fast.step(weight)


def of_a_variable_chosen_elsewhere(weight):
    chosen = {n: p for n, p in torch.nn.Linear(3, 3).named_parameters() if p.requires_grad}
    for _ in range(ALL):
        chosen = {name: each * 1.0 + weight.sum() for name, each in chosen.items()}
        trains(weight, chosen.values())


def of_what_was_made_of_the_one_before(weight):
    """However few are kept, the last leads on to all."""
    recent = deque([torch.zeros(3)], maxlen=5)
    for _ in range(ALL):
        recent.append(0.5 * recent[-1] + weight)
        (recent[-1] - recent[-2]).sum().backward(retain_graph=True)
        with torch.no_grad():
            weight -= 0.01
        gradwatch_agent.iteration()


def of_a_box(weight):
    """Each round gives it another one, made of the one before."""
    box: list[torch.Tensor] = [torch.zeros(3)]
    for step in range(ALL):
        box[step % 1] = 0.5 * box[0] + weight
        trains(weight, box)


class Ring:
    def __init__(self, size):
        self.slots, self.head = [None] * size, 0

    def put(self, fresh):
        self.slots[self.head] = fresh
        self.head = (self.head + 1) % len(self.slots)

    def all(self):
        return [each for each in self.slots if each is not None]


def of_a_long_ring(weight):
    goes_round = Ring(100)
    for _ in range(ALL):
        goes_round.put(trains(weight, goes_round.all()))


def of_a_ring(weight):
    goes_round = Ring(24)
    for _ in range(ALL):
        goes_round.put(trains(weight, goes_round.all()))


def of_a_deque_that_is_filled_late(weight):
    many = deque(maxlen=40)
    for _ in range(ALL):
        many.append(trains(weight, many))


def of_a_short_deque(weight):
    few = deque(maxlen=12)
    for _ in range(ALL):
        few.append(trains(weight, few))


def of_a_short_list(weight):
    keeps = Bank(12)
    for _ in range(ALL):
        keeps.push(trains(weight, keeps.bank))


def of_what_is_left(weight):
    left: list[torch.Tensor] = []
    for _ in range(ALL):
        more = [*left, trains(weight, left)]
        left = [each for n, each in enumerate(more) if n + 12 > len(more)]


class Sieved:
    def __init__(self):
        self.best: list[torch.Tensor] = []

    def keep(self, trials):
        self.best = trials[-12:]


def of_what_is_left_of_what_is_given(weight):
    sieved = Sieved()
    for _ in range(ALL):
        sieved.keep([*sieved.best, trains(weight, sieved.best)])


class Plant:
    def __init__(self):
        self.state = torch.zeros(3)

    def advance(self, weight):
        self.state = 0.9 * self.state + weight * torch.randn(3)
        return self.state.square().mean()

    def rebase(self):
        self.state = self.state.detach()


def of_costs_and_the_state_that_they_are_made_of(weight):
    plant, costs = Plant(), []
    for _ in range(ALL):
        costs.append(plant.advance(weight))
        torch.stack(costs).mean().backward(retain_graph=True)
        with torch.no_grad():
            weight -= 0.01
        gradwatch_agent.iteration()
        if len(costs) == 9:
            costs.clear()
            plant.rebase()


class Pump:
    def __init__(self):
        self.level = torch.zeros(3)

    def advance(self, weight):
        self.level = 0.9 * self.level + weight * torch.randn(3)
        return self.level.square().mean()


def of_costs_alone_and_never_of_the_state(weight):
    pump, dues = Pump(), []
    for _ in range(ALL):
        dues.append(pump.advance(weight))
        torch.stack(dues).mean().backward(retain_graph=True)
        with torch.no_grad():
            weight -= 0.01
        gradwatch_agent.iteration()
        if len(dues) == 9:
            dues.clear()


def told(watching, job) -> list[int]:
    with watching() as said:
        job(torch.ones(3, requires_grad=True))
    return [f.iteration for f in said.findings if f.kind == "graph-chain"]


@pytest.mark.parametrize(
    "job",
    [
        of_a_long_deque,
        of_a_long_list,
        of_what_was_chosen_elsewhere,
        of_a_variable_chosen_elsewhere,
        of_what_was_made_of_the_one_before,
        of_a_box,
        of_a_long_ring,
        of_costs_alone_and_never_of_the_state,
    ],
)
def test_is_told_at_once(watching, job):
    assert told(watching, job)[0] <= 6


@pytest.mark.parametrize(
    "job",
    [
        of_a_short_deque,
        of_a_deque_that_is_filled_late,
        of_a_short_list,
        of_a_ring,
        of_costs_and_the_state_that_they_are_made_of,
        of_what_is_left,
        of_what_is_left_of_what_is_given,
    ],
)
def test_is_waited_for(watching, job):
    assert told(watching, job) == []
