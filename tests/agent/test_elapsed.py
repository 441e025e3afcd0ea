"""A chain is told at once where what would end it stands under a condition that is over."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

import gradwatch_agent

WARM_UP, ALL = 12, 44


def trains(weight: torch.Tensor, state: torch.Tensor) -> torch.Tensor:
    """One iteration; hands back what the next one begins with."""
    state = state * 1.0 + weight
    state.sum().backward(retain_graph=True)
    with torch.no_grad():
        weight -= 0.01
    gradwatch_agent.iteration()
    return state


def below_a_constant(weight):
    state = torch.zeros(3)
    for step in range(ALL):
        if step < WARM_UP:
            state = state.detach()
        state = trains(weight, state)


def numbered(weight):
    state, batches = torch.zeros(3), ["a"] * ALL
    for step, batch in enumerate(batches):
        if batch != "a" or step > WARM_UP:
            pass
        else:
            state = state.detach()
        state = trains(weight, state)


def counted_by_hand(weight):
    state, step = torch.zeros(3), 0
    while step < ALL:
        state = state.detach() if step <= WARM_UP and step < ALL else state
        state = trains(weight, state)
        step += 1


class Trainer:
    def __init__(self, warm_up):
        self.warm_up, self.steps = warm_up, 0
        self.state = torch.zeros(3)

    def cut(self):
        self.state = self.state.detach()

    def step(self, weight):
        if self.steps < self.warm_up:
            self.cut()
        self.state = trains(weight, self.state)
        self.steps += 1


class Told:
    def __init__(self, warm_up):
        self.first, self.carried = warm_up, torch.zeros(3)

    def step(self, weight, number):
        if number < self.first:
            self.carried = self.carried.detach()
        self.carried = trains(weight, self.carried)


def by_a_method(weight):
    trainer = Trainer(WARM_UP)
    for _ in range(ALL):
        trainer.step(weight)


def handed_on(weight):
    told_of = Told(WARM_UP)
    for number in range(ALL):
        told_of.step(weight, number)


def begun_without_its_graph(weight):
    """Where there is something already the first branch is taken, and that cuts nothing."""
    states: dict[str, torch.Tensor] = {}
    for _ in range(ALL):
        if "calm" in states:
            states["calm"] = trains(weight, states["calm"])
        else:
            states["calm"] = (weight * 2).detach()


class Begun:
    def __init__(self):
        self.tide = None

    def step(self, weight):
        if self.tide is not None:
            self.tide = trains(weight, self.tide)
        else:
            self.tide = weight.detach()


def begun_where_there_is_none(weight):
    begun = Begun()
    for _ in range(ALL):
        begun.step(weight)


def each_epoch_anew(weight):
    state = torch.zeros(3)
    for epoch in range(2):
        for step in range(ALL // 2):
            if step < 1 + epoch:
                state = state.detach()
            state = trains(weight, state)


def now_and_then(weight):
    state = torch.zeros(3)
    for step in range(ALL):
        if step < WARM_UP or step % 30 == 29:
            state = state.detach()
        state = trains(weight, state)


def later_and_later(weight):
    state, following = torch.zeros(3), 0
    for step in range(ALL):
        if step == following:
            state = state.detach()
            following += 30
        state = trains(weight, state)


def set_back(weight):
    state, since = torch.zeros(3), 0
    for _ in range(ALL):
        if since < WARM_UP:
            state = state.detach()
        state = trains(weight, state)
        since = 0 if since == 40 else since + 1


class Moving:
    def __init__(self):
        self.kept = torch.zeros(3)

    def step(self, weight, number, following):
        if number <= following:
            self.kept = self.kept.detach()
        self.kept = trains(weight, self.kept)


def moved_by_the_caller(weight):
    moving, following = Moving(), 3
    for number in range(ALL):
        moving.step(weight, number, following)
        following = 30 if number == 10 else following


class Filling:
    def __init__(self):
        self.seen, self.carried_on = [0, 0], torch.zeros(3)

    def step(self, weight, number):
        if number < len(self.seen):
            self.carried_on = self.carried_on.detach()
        self.carried_on = trains(weight, self.carried_on)


def by_a_length(weight):
    filling = Filling()
    for number in range(ALL):
        filling.step(weight, number)
        filling.seen += [0] * 30 if number == 20 else []


def told(watching, job: Callable[[torch.Tensor], None]) -> list[int]:
    with watching() as said:
        job(torch.ones(3, requires_grad=True))
    return [f.iteration for f in said.findings if f.kind == "graph-chain"][:1]


@pytest.mark.parametrize(
    "job",
    [
        below_a_constant,
        numbered,
        counted_by_hand,
        by_a_method,
        handed_on,
        begun_without_its_graph,
        begun_where_there_is_none,
    ],
)
def test_what_is_over_ends_no_chain(watching, job):
    (iteration,) = told(watching, job)
    assert iteration <= WARM_UP + 6


@pytest.mark.parametrize(
    "job",
    [
        each_epoch_anew,
        now_and_then,
        later_and_later,
        set_back,
        moved_by_the_caller,
        by_a_length,
    ],
)
def test_what_comes_again_may_end_one(watching, job):
    assert told(watching, job) == []
