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
