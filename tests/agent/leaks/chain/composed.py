"""States made of parts of several kinds: each part is cut as what it is."""

from __future__ import annotations

import collections
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from torch import nn

from ..common import STEPS, sgd_of


class Cell(NamedTuple):
    h: torch.Tensor
    c: torch.Tensor


@dataclass(frozen=True)
class Composed:
    cell: Cell
    pair: tuple
    mean: torch.Tensor
    seen: int = 0


class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.mix = nn.LSTMCell(4, 3), nn.Linear(3, 3)

    def forward(self, x, before):
        cell = Cell(*self.cell(x, before.cell))
        pair = (torch.tanh(self.mix(before.pair[0])), torch.tanh(self.mix(before.pair[1])))
        mean = 0.9 * before.mean + 0.1 * cell.h
        return replace(before, cell=cell, pair=pair, mean=mean, seen=before.seen + 1)


def by_a_frozen_record_of_a_record_a_pair_and_a_tensor():
    """second-backward | belief | before"""
    model, zero = Filter(), torch.zeros(2, 3)
    optimizer = sgd_of(model)
    belief = Composed(Cell(zero, zero), (zero + 1, zero - 1), zero)
    for _ in range(STEPS):
        belief = model(torch.randn(2, 4), belief)  # <-
        loss = belief.mean.sum() + belief.pair[0].sum() + belief.pair[1].sum() + belief.cell.c.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Stacked(NamedTuple):
    layers: list
    context: torch.Tensor


class Stack(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.ModuleList(nn.GRUCell(4, 4) for _ in range(3))

    def forward(self, x, before):
        layers = []
        for cell, h in zip(self.cells, before.layers, strict=True):
            x = cell(x, h)
            layers.append(x)
        return x, Stacked(layers, 0.5 * before.context + x)


def by_a_record_of_a_list_and_a_tensor():
    """second-backward | stacked | before"""
    model, zero = Stack(), torch.zeros(2, 4)
    optimizer, stacked = sgd_of(model), Stacked([zero] * 3, zero)
    for _ in range(STEPS):
        x, stacked = model(torch.randn(2, 4), stacked)  # <-
        optimizer.zero_grad()
        (stacked.context.sum() + x.sum()).backward()
        optimizer.step()


class Ordered:
    def __init__(self, ordered):
        self.seen = ordered

    def put(self, number, x):
        self.seen[number % 3] = x  # <-
        return sum(self.seen.values())


def by_an_ordered_dict():
    """second-backward | ordered.seen | before"""
    model, ordered = nn.Linear(4, 4), Ordered(collections.OrderedDict())
    optimizer = sgd_of(model)
    for number in range(STEPS):
        loss = ordered.put(number, torch.tanh(model(torch.randn(2, 4)))).pow(2).mean()
        ordered.seen.move_to_end(number % 3)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Frequent:
    def __init__(self):
        self.rates = collections.defaultdict(lambda: torch.zeros(4))

    def rate(self, number, x):
        self.rates[number % 3] = 0.9 * self.rates[number % 3] + 0.1 * x  # <-
        return self.rates[number % 3]


def by_a_dict_with_a_default():
    """second-backward | frequent.rates | before"""
    model, frequent = nn.Linear(4, 4), Frequent()
    optimizer = sgd_of(model)
    for number in range(STEPS):
        loss = frequent.rate(number, torch.tanh(model(torch.randn(2, 4))).mean(0)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Spoken:
    def __init__(self, cell):
        self.cell, self.heard = cell, collections.defaultdict(lambda: {"h": None, "turns": 0})

    def hear(self, name, x):
        before = self.heard[name]
        h = self.cell(x, before["h"])
        self.heard[name] = {"h": h, "turns": before["turns"] + 1}  # <-
        return h


def by_states_of_whoever_has_a_turn():
    """second-backward | - | words"""
    cell = nn.GRUCell(4, 3)
    spoken, optimizer = Spoken(cell), sgd_of(cell)
    for number in range(STEPS):
        loss = spoken.hear("abcde"[number * number % 5], torch.randn(2, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.mean, self.var = torch.zeros(4), torch.ones(4)
        self.scale = nn.Parameter(torch.ones(4))

    def forward(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x.mean(0)  # <-
        self.var = 0.9 * self.var + 0.1 * (x - self.mean).pow(2).mean(0)  # <-
        return self.scale * (x - self.mean) / (self.var + 0.1).sqrt()


def by_the_averages_of_three_layers():
    """second-backward | - | words"""
    model = nn.Sequential(*(nn.Sequential(nn.Linear(4, 4), Normed()) for _ in range(3)))
    optimizer = sgd_of(model)
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward()
        optimizer.step()


def by_pairs_of_weights_stepped_by_hand():
    """graph-chain | weights | before"""
    weights = [(torch.randn(4, 3), torch.zeros(3)), (torch.randn(3, 1), torch.zeros(1))]
    weights = [(w.requires_grad_(), b.requires_grad_()) for w, b in weights]
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        for w, b in weights:
            x = torch.tanh(x @ w + b)
        slopes = iter(torch.autograd.grad(x.mean(), [t for pair in weights for t in pair]))
        weights = [(w - next(slopes), b - next(slopes)) for w, b in weights]  # <-


def stepped(kernels_of, slopes):
    slopes = iter(slopes)
    return [{key: w - next(slopes) for key, w in each.items()} for each in kernels_of]  # <-


def by_weights_whose_gradients_a_helper_asks_for():
    """graph-chain | kernels_of[1]['kernel'] | words"""
    kernels_of = layers()
    for _ in range(STEPS):
        loss = torch.tanh(
            torch.tanh(torch.randn(8, 4) @ kernels_of[0]["kernel"]) @ kernels_of[1]["kernel"]
        ).mean()
        slopes = torch.autograd.grad(loss, flat(kernels_of))
        kernels_of = stepped(kernels_of, slopes)  # <-


def layers():
    return [
        {"kernel": torch.randn(wide, 3 - n, requires_grad=True)} for n, wide in ((0, 4), (2, 3))
    ]


def flat(kernels_of):
    return [w for each in kernels_of for w in each.values()]


class Walked:
    def __init__(self, model):
        self.model, self.belief = model, Belief(torch.zeros(2, 3))

    def walk(self, parts):
        belief = self.belief
        for part in parts:
            belief = Belief(self.model(part, belief.mean))
        belief.mean.pow(2).sum().backward(retain_graph=True)
        self.model.zero_grad()
        self.belief = replace(belief)  # <-


@dataclass
class Belief:
    mean: torch.Tensor


def by_a_copy_of_what_a_local_name_had():
    """graph-chain | walked.belief.mean | words"""
    walked = Walked(nn.GRUCell(4, 3))
    for _ in range(STEPS):
        walked.walk(torch.randn(3, 2, 4))
