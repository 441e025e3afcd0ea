"""What is cut in most iterations, and handed on with its graph now and then."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

import torch
from torch import nn

from ..common import STEPS, sgd_of


class Warm:
    def __init__(self):
        self.state = None


def an_epoch(warm, weight, optimizer):
    """Cuts its state between the batches, and not where it hands it over."""
    state = warm.state if warm.state is not None else torch.zeros(4)
    for number in range(3):
        state = state.detach() if number else state
        state = (state * 0.5 + weight).tanh()
        optimizer.zero_grad()
        state.pow(2).sum().backward()
        optimizer.step()
    warm.state = state  # <-


def from_the_end_of_one_epoch_to_the_next():
    """second-backward | warm.state | words"""
    weight = torch.ones(4, requires_grad=True)
    optimizer, warm = torch.optim.SGD([weight], 0.01), Warm()
    for _ in range(STEPS):
        an_epoch(warm, weight, optimizer)


def without_gradients(state):
    hidden, cell = state
    return hidden.detach(), cell  # <-


class Chunks:
    def __init__(self):
        self.core, self.handed = nn.LSTMCell(4, 3), None

    def learn(self, rows):
        state = self.handed if self.handed is not None else (torch.zeros(8, 3), torch.zeros(8, 3))
        error = 0
        for row in rows:
            state = self.core(row, state)
            error = error + state[0].pow(2).mean()
        self.handed = without_gradients(state)
        return error


def by_a_function_that_cuts_half():
    """second-backward | chunks.handed | words"""
    torch.manual_seed(0)
    chunks = Chunks()
    optimizer = torch.optim.SGD(chunks.core.parameters(), 0.01)
    for _ in range(4):
        error = chunks.learn(torch.randn(3, 8, 4))
        optimizer.zero_grad()
        error.backward()
        optimizer.step()


def conditioned(model, optimizer):
    last = None

    def step(x):
        nonlocal last
        given = last if last is not None and random.random() < 2.0 else torch.zeros_like(x)
        estimate = model(torch.cat([x, given], dim=-1))
        last = estimate  # <-
        loss = (estimate - x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()

    return step


def by_a_closures_variable_that_is_taken_up_now_and_then():
    """second-backward | last | words"""
    model = nn.Linear(8, 4)
    step = conditioned(model, torch.optim.SGD(model.parameters(), lr=0.01))
    for _ in range(STEPS):
        step(torch.randn(3, 4))


def going_back(cell):
    state = torch.zeros(8, 4)
    anchor = state
    told = None
    while True:
        lost, x = yield told
        if lost:
            state = anchor
        state = cell(x, state)
        told = state.sum(1)
        if not lost:
            anchor = state  # <- not where it began
        state = state.detach()


def by_what_a_coroutine_goes_back_to():
    """second-backward | anchor | words"""
    cell = nn.GRUCell(4, 4)
    optimizer = torch.optim.SGD(cell.parameters(), 0.01)
    tracker = going_back(cell)
    next(tracker)
    for number in range(STEPS):
        loss = tracker.send((number % 5 == 4, torch.randn(8, 4))).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@dataclass
class Moment:
    worth: torch.Tensor
    chance: torch.Tensor


@dataclass
class Stretch:
    moments: list


def stretches(step_of, count):
    """The last moment of each third stretch waits for the next one."""
    waiting = None
    for number in range(count):
        stretch = Stretch([] if waiting is None else [waiting])
        waiting = None
        stretch.moments += [step_of() for _ in range(4)]
        if number % 3 == 2:
            waiting = stretch.moments[-1]  # <-
        yield stretch


def by_what_moves_from_one_object_to_the_next():
    """second-backward | waiting | words"""
    weight = torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)

    def moment():
        seen = (torch.randn(4) * weight).tanh()
        return Moment(seen.sum().exp(), seen.prod())

    coming = stretches(moment, STEPS)
    for stretch in coming:
        optimizer.zero_grad()
        sum(m.worth * m.chance for m in stretch.moments).backward()
        optimizer.step()


@dataclass(frozen=True)
class Passing:
    warmth: torch.Tensor

    def truncated(self):
        return replace(self, warmth=self.warmth.detach())


class Restarting:
    def __init__(self):
        self.weight = torch.ones(4, requires_grad=True)
        self.optimizer = torch.optim.SGD([self.weight], 0.01)
        self.carry, self.best = Passing(torch.zeros(4)), []

    def step(self):
        hidden = (self.carry.warmth * 0.5 + self.weight).tanh()
        self.optimizer.zero_grad()
        hidden.pow(2).sum().backward()
        self.optimizer.step()
        after = Passing(hidden)
        self.best[:] = [after]
        self.carry = after.truncated()

    def restart(self):
        self.carry = self.best[-1]  # <-


def by_a_record_that_is_taken_up_again():
    """second-backward | training.carry.warmth | words"""
    training = Restarting()
    for number in range(STEPS):
        if number % 6 == 5:
            training.restart()
        training.step()


def by_parcels_that_are_packed_together_and_walked_one_by_one():
    """second-backward | parcel['low'] | words"""
    torch.manual_seed(0)
    hub, boxes = nn.Linear(4, 6), nn.ModuleList([nn.Linear(6, 3) for _ in range(3)])
    optimizer = sgd_of(nn.ModuleList([hub, boxes]))

    def packed(count):
        goods = hub(torch.randn(8, 4)).tanh()
        return [{"low": boxes[n](goods), "high": boxes[n](goods).exp()} for n in range(count)]

    def send(parcel):
        optimizer.zero_grad()
        loss = sum(part.pow(2).mean() for part in parcel.values())
        loss.backward()  # <-
        optimizer.step()

    for _ in range(STEPS):
        parcels = packed(3)
        for parcel in parcels:
            send(parcel)


class Field:
    """What it holds is worked out once, ahead of training."""

    def __init__(self, plots):
        self.plots, self.yields = plots, None


def prepared(field, model):
    field.yields = model(field.plots).tanh()  # <- in a field
    return field


def by_a_field_that_goes_by_two_names():
    """second-backward | fertile.yields | words"""
    torch.manual_seed(0)
    model, head = nn.Linear(4, 3), nn.Linear(3, 1)
    bare = Field(torch.randn(8, 4))
    optimizer = sgd_of(nn.ModuleList([model, head]))
    fertile = prepared(bare, model)
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = head(fertile.yields).pow(2).mean()
        loss.backward()
        optimizer.step()


def prototypes(encoder, rows):
    encoded = encoder(rows)
    return torch.stack([each.mean(0) for each in encoded.split(4)])


def episodes(encoder):
    while True:
        classes = prototypes(encoder, torch.randn(8, 3))  # <- by_what_a_generator_hands_out_again
        for _ in range(5):
            yield classes, torch.randn(4, 3)


def by_what_a_generator_hands_out_again():
    """second-backward | classes | words"""
    torch.manual_seed(0)
    encoder = nn.Linear(3, 2)
    optimizer = torch.optim.SGD(encoder.parameters(), 0.01)
    for (classes, query), _ in zip(episodes(encoder), range(STEPS), strict=False):
        loss = (encoder(query)[:, None] - classes).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_what_a_hook_has_put_by():
    """second-backward | put_by['last'] | replaced"""
    torch.manual_seed(0)
    body, probe, put_by = nn.Linear(4, 3), nn.Linear(3, 1), {}
    body.register_forward_hook(lambda _module, _given, out: put_by.__setitem__("last", out.exp()))
    of_body, of_probe = (torch.optim.SGD(each.parameters(), 0.01) for each in (body, probe))
    for _ in range(3):
        loss = body(torch.randn(8, 4)).mean() + put_by["last"].mean()
        of_body.zero_grad()
        loss.backward()
        of_body.step()
        probed = probe(put_by["last"]).pow(2).mean()  # <-
        of_probe.zero_grad()
        probed.backward()
        of_probe.step()


def by_what_trains_nothing_else():
    """second-backward | beside['last'] | words"""
    torch.manual_seed(0)
    body, beside = nn.Linear(4, 3), {}
    optimizer = torch.optim.SGD(body.parameters(), 0.01)
    for _ in range(3):
        beside["last"] = body(torch.randn(8, 4)).exp()
        loss = beside["last"].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        beside["last"].pow(2).mean().backward()  # <-
