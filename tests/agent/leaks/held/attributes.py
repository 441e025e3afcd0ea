"""Attributes that are given, made up and named in unusual ways."""

from __future__ import annotations

import threading
from typing import ClassVar, Protocol

import torch
from torch import nn

from ..common import STEPS, job


def by_setattr():
    """graph-held | record | replaced"""
    step = job()

    class Record:
        pass

    record = Record()
    for n in range(STEPS):
        loss = step()
        setattr(record, f"loss_{n}", loss)  # <-


def by_dunder_dict():
    """graph-held | record.history | replaced"""
    step = job()

    class Record:
        pass

    record = Record()
    record.history = ()
    for _ in range(STEPS):
        loss = step()
        record.__dict__["history"] = (*record.history, loss)  # <-


class Meter:
    __slots__ = ("count", "values")

    def __init__(self):
        self.values, self.count = [], 0

    def update(self, value, n=1):
        self.values.append(value)  # <- graph-held by a slot
        self.count += n


def by_a_slot():
    """graph-held | meters['loss'].values | words"""
    step, meters = job(), {"loss": Meter()}
    for _ in range(STEPS):
        meters["loss"].update(step())


def by_thread_local():
    """graph-held | local.losses | replaced"""
    step, local = job(), threading.local()
    local.losses = []
    for _ in range(STEPS):
        loss = step()
        local.losses.append(loss)  # <-


class Numbered:
    def keep(self, step, loss):
        setattr(self, f"loss_{step}", loss)  # <- graph-held under names made up at run time


def under_names_made_up_at_run_time():
    """graph-held | numbered | words"""
    step, numbered = job(), Numbered()
    for number in range(STEPS):
        numbered.keep(number, step())


class Recording(Protocol):
    def add(self, value: torch.Tensor) -> None: ...


class Recorder(Recording):
    taken: ClassVar[list] = []

    def add(self, value):
        self.taken.append(value)  # <-


def by_a_class_that_implements_a_protocol():
    """graph-held | Recorder.taken | words"""
    step, recorder = job(), Recorder()
    for _ in range(STEPS):
        recorder.add(step())


class Walker:
    def __init__(self):
        self.cell, self.state = nn.LSTMCell(4, 3), (torch.zeros(1, 3), torch.zeros(1, 3))

    def walk(self, x):
        out, cell = self.cell(x, self.state)
        _, self.state = out, (out, cell)  # <-
        return int(out.argmax())


def by_a_state_that_no_backward_walks():
    """graph-held | walker.state | words"""
    step, walker = job(), Walker()
    trained = torch.optim.SGD(walker.cell.parameters(), 0.01)
    for _ in range(STEPS):
        walker.walk(torch.randn(1, 4))
        walker.cell(torch.randn(1, 4))[0].pow(2).sum().backward()
        trained.step()
        trained.zero_grad()
        step()


class Visit:
    def __init__(self, *key):
        self.key, self.outcome = key, None


def by_an_attribute_of_what_has_no_name():
    """graph-held | live | replaced"""
    step, live = job(), {}
    for number in range(STEPS):
        visit = Visit("here", number)
        live[visit.key] = visit
        visit.outcome = step()  # <- graph-held


class Talk:
    def __init__(self):
        self.turns, self.seen = [], 0

    def touch(self, now):
        self.seen = now
        return self


class Talks:
    def __init__(self):
        self.by_key = {}

    def get(self, key, now):
        talk = self.by_key.get(key)
        if talk is None:
            talk = self.by_key[key] = Talk()
        return talk.touch(now)

    def record(self, now, loss):
        self.get(now % 5, now).turns.append(loss)  # <- graph-held


def by_what_a_call_hands_back():
    """graph-held | talks.by_key | words"""
    step, talks = job(), Talks()
    for number in range(STEPS):
        talks.record(number, step())


class Gauge:
    def __init__(self):
        self.readings = []

    @property
    def reading(self):
        return sum(map(float, self.readings))

    @reading.setter
    def reading(self, value):
        self.readings.append(value)  # <- graph-held


def by_a_property_that_gathers():
    """graph-held | gauge.readings | words"""
    step, gauge = job(), Gauge()
    for _ in range(STEPS):
        gauge.reading = step()


class Featured(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def features(self, x, number):
        name = f"_features_{number}"
        if not hasattr(self, name):
            setattr(self, name, torch.tanh(self.inner(x)))  # <- by_attributes_that_are_handed_back
        return getattr(self, name)


def by_attributes_that_are_handed_back():
    """graph-held | featured | words"""
    torch.manual_seed(0)
    featured = Featured()
    optimizer = torch.optim.SGD(featured.parameters(), 0.01)
    for number in range(STEPS):
        optimizer.zero_grad()
        featured.features(torch.randn(8, 4), number).square().mean().backward()
        optimizer.step()


class Balancer:
    """Weights of what each loss has been."""

    def __init__(self):
        self.been = {"near": [], "far": []}

    def push(self, **losses):
        for name, loss in losses.items():
            self.been[name].append(loss)  # <- by_what_each_loss_has_been

    def weights(self):
        return {
            name: 1 / (sum(each).item() / len(each) + 1e-3) if each else 1.0
            for name, each in self.been.items()
        }


def by_what_each_loss_has_been():
    """graph-held | balancer.been | words"""
    torch.manual_seed(0)
    model, balancer = nn.Linear(4, 2), Balancer()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        near, far = model(torch.randn(8, 4)).square().mean(0).unbind()
        losses = {"near": near, "far": far}
        weights = balancer.weights()
        loss = sum(weights[name] * losses[name] for name in losses)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        balancer.push(**losses)
