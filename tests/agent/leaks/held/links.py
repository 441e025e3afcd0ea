"""Objects each of which leads to the one before it."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import nn

from ..common import STEPS, job


class Link:
    def __init__(self, loss, before):
        self.loss = loss
        self.before = before


def by_a_linked_list():
    """graph-held | last.before | words"""
    step, last = job(), None
    for _ in range(STEPS):
        last = Link(step(), last)  # <- graph-held


@dataclass(frozen=True)
class Plan:
    number: int
    merit: torch.Tensor | None = None
    origin: Plan | None = None


def by_records_that_lead_to_the_one_before():
    """graph-held | plan.origin | words"""
    step, plan = job(), Plan(0)
    for number in range(STEPS):
        plan = Plan(number, step(), origin=plan)  # <-


@dataclass(frozen=True, eq=False)
class Draft:
    """Each leads to the one that it came from."""

    at: int = 0
    worth: torch.Tensor | None = None
    came_from: object = None


def judged(draft, weight):
    return replace(draft, worth=weight.exp().sum())


def by_drafts_that_lead_to_their_origin():
    """graph-held | draft.came_from | words"""
    weight, draft = torch.zeros(4, requires_grad=True), Draft()
    optimizer = torch.optim.SGD([weight], 0.01)
    for n in range(STEPS):
        draft = judged(replace(draft, at=n, came_from=draft), weight)  # <-
        optimizer.zero_grad()
        draft.worth.backward()
        optimizer.step()


@dataclass
class Ride:
    states: torch.Tensor
    before: Ride | None = None


class Rides:
    def __init__(self):
        self.latest = None

    def ride(self, model):
        self.latest = Ride(model(torch.randn(8, 4)), before=self.latest)  # <-
        return self.latest


def by_what_a_variable_of_each_call_shows():
    """graph-held | rides.latest.before | words"""
    torch.manual_seed(0)
    model, rides = nn.Linear(4, 3), Rides()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def update():
        shown = rides.ride(model)
        optimizer.zero_grad()
        shown.states.pow(2).mean().backward()
        optimizer.step()

    for _ in range(STEPS):
        update()


@dataclass(frozen=True, eq=False)
class Progress:
    """Each leads to the one before."""

    at: int = 0
    merit_now: torch.Tensor | None = None
    earlier: object = None

    def advance(self, **changes):
        return replace(self, at=self.at + 1, earlier=self, **changes)


def moved(progress, step):
    return progress.advance(merit_now=step())  # <- graph-held by progress


def by_states_that_are_advanced():
    """graph-held | progress.earlier | words"""
    step, progress = job(), Progress()
    while progress.at < STEPS:
        progress = moved(progress, step)


class Past:
    def __init__(self):
        self.head = None

    def put(self, loss):
        link = Link(loss, self.head)  # <- graph-held
        self.head = link


def by_a_linked_list_of_what_was_made_ahead():
    """graph-held | past.head.before | words"""
    step, past = job(), Past()
    for _ in range(STEPS):
        past.put(step())
