"""States that somebody means to cut, and does not."""

from __future__ import annotations

import torch
from torch import nn

from ..common import STEPS


def trained(state, weight):
    """One iteration on a pair of states; the next pair."""
    weight.grad = None
    fresh = tuple(0.5 * each + weight for each in state)
    sum(each.square().sum() for each in fresh).backward(retain_graph=True)
    weight.data -= 0.01 * weight.grad
    return fresh


def by_a_cut_that_nobody_takes():
    """graph-chain | level | replaced"""
    weight, level = torch.ones(3, requires_grad=True), torch.zeros(3)
    for _ in range(STEPS):
        level.detach()  # <-
        (level,) = trained((level,), weight)


def by_a_cut_that_is_not_called():
    """graph-chain | level | replaced"""
    weight, level = torch.ones(3, requires_grad=True), torch.zeros(3)
    for _ in range(STEPS):
        level.detach_  # noqa: B018  # <-
        (level,) = trained((level,), weight)


def by_a_loop_that_cuts_but_its_own_variable():
    """graph-chain | pair | words"""
    weight, pair = torch.ones(3, requires_grad=True), (torch.zeros(3), torch.zeros(3))
    for _ in range(STEPS):
        for each in pair:
            each = each.detach()  # <-
        pair = trained(pair, weight)


def without_graphs(states):
    return tuple(each.detach() for each in states)


def by_a_function_whose_cut_nobody_takes():
    """graph-chain | pair | replaced"""
    weight, pair = torch.ones(3, requires_grad=True), (torch.zeros(3), torch.zeros(3))
    for _ in range(STEPS):
        without_graphs(pair)  # <-
        pair = trained(pair, weight)


def by_a_pair_of_which_one_is_cut_on_the_spot():
    """graph-chain | pair | replaced"""
    weight, pair = torch.ones(3, requires_grad=True), (torch.zeros(3), torch.zeros(3))
    for _ in range(STEPS):
        pair = (pair[0].detach(), pair[1])  # <-
        pair = trained(pair, weight)


def half_without(states):
    near, far = states
    near = near.detach()
    return near, far  # <- of which half is forgotten


def by_a_function_that_forgets_the_other_half():
    """graph-chain | pair | words"""
    weight, pair = torch.ones(3, requires_grad=True), (torch.zeros(3), torch.zeros(3))
    for _ in range(STEPS):
        pair = half_without(pair)
        pair = trained(pair, weight)


def from_nothing():
    bare = torch.zeros(3)
    return bare, bare.clone()


def by_a_pair_that_begins_with_nothing_and_its_copy():
    """graph-chain | pair | words"""
    weight, pair = torch.ones(3, requires_grad=True), from_nothing()
    for _ in range(STEPS):
        pair = trained(pair, weight)  # <-


class Gauge:
    """Two levels go on; where a window ends one is cut."""

    def __init__(self):
        self.fast, self.slow = torch.zeros(3), torch.zeros(3)

    def read(self, x):
        self.fast = torch.lerp(x, self.fast, 0.5)
        self.slow = torch.lerp(x, self.slow, 0.9)  # <- by_a_level_that_is_not_cut_with_the_other
        return self.fast.sum() + self.slow.sum()

    def end(self):
        self.fast = self.fast.detach()


def by_a_level_that_is_not_cut_with_the_other():
    """graph-chain | gauge.slow | words"""
    layer, gauge = nn.Linear(4, 3), Gauge()
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    for _ in range(STEPS):
        loss = gauge.read(layer(torch.randn(4))).pow(2)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        gauge.end()


class Buoy:
    """Another one has a `fast`, too, and cuts it."""

    def __init__(self):
        self.fast, self.drift = torch.zeros(3), torch.zeros(3)

    def read(self, x):
        self.fast = x.tanh()
        self.drift = torch.lerp(self.fast, self.drift, 0.9)  # <- by_a_drift_that_nobody_cuts
        return self.drift.sum()


def by_a_drift_that_nobody_cuts():
    """graph-chain | buoy.drift | words"""
    layer, buoy = nn.Linear(4, 3), Buoy()
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    for _ in range(STEPS):
        loss = buoy.read(layer(torch.randn(4))).pow(2)
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()


def halves_without(states):
    return [(near.detach(), far) for near, far in states]  # <- graph-chain in each layer


def by_a_function_that_forgets_the_other_half_of_each():
    """graph-chain | tiers | words"""
    weight = torch.ones(3, requires_grad=True)
    tiers = [(torch.zeros(3), torch.zeros(3)) for _ in range(2)]
    for _ in range(STEPS):
        tiers = halves_without(tiers)
        tiers = [trained(pair, weight) for pair in tiers]
