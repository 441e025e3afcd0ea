"""States that are fields of records, which each step makes anew."""

from __future__ import annotations

import collections
from dataclasses import dataclass, replace
from typing import NamedTuple

import torch
from torch import nn

from ..common import STEPS


@dataclass(frozen=True)
class Posterior:
    """What a filter believes so far; its next one is made of it, never changed in place."""

    mean: torch.Tensor
    seen: int = 0


class Tracker:
    def __init__(self, weight):
        self.weight, self.belief = weight, Posterior(torch.zeros(3))

    def update(self, x):
        before = self.belief
        mean = 0.5 * before.mean + (self.weight * x).mean(0)  # <- graph-chain: used by a local name
        mean.pow(2).sum().backward(retain_graph=True)
        self.belief = replace(before, mean=mean, seen=before.seen + 1)  # <- graph-chain


def by_an_attribute_read_into_a_local_name():
    """graph-chain | track.belief.mean | words"""
    weight = torch.randn(3, requires_grad=True)
    track = Tracker(weight)
    for _ in range(STEPS):
        track.update(torch.randn(8, 3))
        weight.grad = None


class Carried(NamedTuple):
    weights: dict
    number: int


def by_a_record_not_by_what_each_round_makes_anew():
    """graph-chain | state | words"""
    rate = torch.tensor(0.1, requires_grad=True)
    optimizer = torch.optim.SGD([rate], 0.0)
    state = Carried({"w": torch.ones(4).requires_grad_()}, 0)
    while state.number < STEPS:
        (slope,) = torch.autograd.grad(state.weights["w"].pow(2).sum(), state.weights["w"])
        made = {"w": state.weights["w"] - rate * slope}
        optimizer.zero_grad()
        made["w"].sum().backward(retain_graph=True)
        optimizer.step()
        state = Carried(made, state.number + 1)  # <-


class Context(NamedTuple):
    memory: dict


def goes_on(context, weight):
    context.memory["h"] = context.memory["h"] * 0.5 + weight  # <- graph-chain within a record
    return context.memory["h"].sum()


def by_what_changes_within_a_record():
    """graph-chain | context.memory['h'] | words"""
    weight = torch.ones(4, requires_grad=True)
    context = Context({"h": torch.zeros(4)})
    for _ in range(STEPS):
        goes_on(context, weight).backward(retain_graph=True)


Pair = collections.namedtuple("Pair", "fast slow")


def cut_half(pair):
    return Pair(pair.fast.detach(), pair.slow)  # <- graph-chain


def by_the_half_that_is_not_cut():
    """graph-chain | pair | replaced"""
    weight, pair = torch.randn(3, requires_grad=True), Pair(torch.zeros(3), torch.zeros(3))
    for _ in range(STEPS):
        before = cut_half(pair)
        pair = Pair(before.fast + weight, before.slow * 0.5 + weight)
        (pair.fast * pair.slow).sum().backward(retain_graph=True)
        weight.grad = None


class Carry(NamedTuple):
    params: dict
    count: int


def unpacked(state, rate, optimizer):
    params, count = state
    moved = {name: p - rate * 0.1 for name, p in params.items()}
    optimizer.zero_grad()
    sum(p.sum() for p in moved.values()).backward(retain_graph=True)
    optimizer.step()
    return Carry(moved, count + 1)  # <-


def by_a_record_that_a_function_unpacks():
    """graph-chain | state | words"""
    torch.manual_seed(0)
    rate = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([rate], 0.01)
    state = Carry({"a": torch.zeros(3), "b": torch.zeros(3)}, 0)
    while state.count < STEPS:
        state = unpacked(state, rate, optimizer)  # <-


@dataclass(frozen=True)
class State:
    weight: torch.Tensor
    mean: torch.Tensor


def advanced(state, optimizer):
    loss = (state.weight - state.mean).pow(2).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    mean = torch.lerp(state.mean, state.weight, 0.1)
    return replace(state, mean=mean), loss.item()  # <-


def by_a_record_that_a_function_hands_back():
    """graph-chain | state.mean | words"""
    torch.manual_seed(0)
    weight = torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)
    state = State(weight, torch.zeros(4))
    for _ in range(STEPS):
        state, _loss = advanced(state, optimizer)


class TwoStates(NamedTuple):
    cell: torch.Tensor
    hidden: torch.Tensor
    age: int


def by_a_record_of_two_states_and_a_count():
    """graph-chain | memory | words"""
    weight = torch.zeros(4, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)
    memory = TwoStates(torch.zeros(4), torch.zeros(4), 0)
    for _ in range(STEPS):
        cell = memory.cell + weight
        memory = TwoStates(cell, memory.hidden + cell, memory.age + 1)  # <-
        optimizer.zero_grad()
        memory.hidden.sum().backward()
        optimizer.step()


def by_a_record_of_which_one_field_is_cut():
    """graph-chain | guess.spread | replaced"""

    @dataclass(frozen=True)
    class Guess:
        mean: torch.Tensor
        spread: torch.Tensor

        def handed_over(self):
            return replace(self, mean=self.mean.detach())  # <-

    gain = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([gain], 0.001)
    guess = Guess(torch.zeros(1), torch.ones(1))
    for _ in range(STEPS):
        guess = Guess(0.9 * guess.mean + gain, 0.9 * guess.spread + gain)
        loss = (guess.mean + guess.spread - 1).sum()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        guess = guess.handed_over()


def tidal_step(tidal, water):
    low = (
        0.5 * tidal["marks"]["low"].detach() + 0.5 * tidal["marks"]["low"] + water @ tidal["gauge"]
    )
    high = tidal["marks"]["high"] + water @ tidal["gauge"]
    missed = (low + high).mean()
    (slope,) = torch.autograd.grad(missed, [tidal["gauge"]], retain_graph=True)
    gauge = (tidal["gauge"].detach() - 0.01 * slope).requires_grad_()
    following = {"gauge": gauge, "marks": {"low": low, "high": high}}  # <- what a step hands on
    return following, missed.item()


def by_a_state_that_a_step_puts_together():
    torch.manual_seed(0)
    tidal = {"gauge": torch.randn(4, requires_grad=True)}
    tidal["marks"] = {"low": torch.zeros(8), "high": torch.zeros(8)}
    for _ in range(STEPS):
        tidal, _missed = tidal_step(tidal, torch.randn(8, 4))


@dataclass
class Reckoning:
    middle: torch.Tensor
    width: torch.Tensor


def predicted(belief, rate):
    return Reckoning(0.9 * belief.middle, 0.8 * belief.width + rate)


def corrected(ahead, seen):
    gain = ahead.width / (ahead.width + 1)
    middle = ahead.middle + gain * (seen - ahead.middle)
    width = (1 - gain) * ahead.width
    return Reckoning(middle, width), ((seen - ahead.middle).pow(2) / gain).mean()


def by_a_belief_that_is_predicted_before_it_is_corrected():
    """graph-chain | belief | words"""
    rate = torch.tensor(0.1, requires_grad=True)
    optimizer = torch.optim.SGD([rate], 0.001)
    belief = Reckoning(torch.zeros(3), torch.ones(3))
    for _ in range(STEPS):
        ahead = predicted(belief, rate.exp())
        belief, loss = corrected(ahead, torch.randn(3))  # <-
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()


class Tides:
    def __init__(self):
        self.marks = {"low": {"level": torch.zeros(4), "count": 0}}

    def mix(self, name, drive):
        entry = self.marks[name]
        level = 0.8 * entry["level"] + drive
        self.marks[name] = {"level": level, "count": entry["count"] + 1}  # <- by a mark
        return level


def by_an_entry_with_a_count_beside_its_level():
    """graph-chain | tides.marks['low'] | before"""
    drive = torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([drive], 0.01)
    tides = Tides()
    for _ in range(STEPS):
        level = tides.mix("low", drive * torch.rand(4))
        optimizer.zero_grad()
        level.square().mean().backward(retain_graph=True)
        optimizer.step()


class Across:
    def __init__(self):
        self.seen, self.kept = torch.zeros(4), torch.zeros(4)

    def advance(self, seen, kept):
        self.seen, self.kept = seen, kept

    def cut(self):
        self.advance(self.seen.detach(), self.kept)  # <- where the half is forgotten


def by_the_half_that_a_method_is_given_as_it_is():
    """graph-chain | across.kept | words"""
    across, weight = Across(), torch.ones(4, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)
    for _ in range(STEPS):
        across.advance(0.9 * across.seen + weight, 0.9 * across.kept + weight)
        optimizer.zero_grad()
        (across.seen + across.kept - 1).square().mean().backward(retain_graph=True)
        optimizer.step()
        across.cut()


class Played:
    def __init__(self):
        self.odds, self.gains = [], []

    def note(self, odds, gain):
        self.odds.append(odds)  # <- beside what it gains
        self.gains.append(gain)

    def loss(self):
        return -(torch.stack(self.odds) * torch.tensor(self.gains)).mean()


def by_odds_with_their_gains_beside_them():
    policy = torch.zeros(2, requires_grad=True)
    optimizer = torch.optim.SGD([policy], 0.01)
    bets = Played()
    for _ in range(STEPS):
        bets.note(policy.log_softmax(0)[0], 1.0)
        optimizer.zero_grad()
        bets.loss().backward(retain_graph=True)
        optimizer.step()


class Moments(NamedTuple):
    mean: torch.Tensor
    spread: torch.Tensor


class Learned(NamedTuple):
    weights: dict
    moments: Moments
    step: int


def _learned_on(state, x):
    mean = 0.9 * state.moments.mean + 0.1 * (x @ state.weights["w"]).mean(0)
    spread = 0.9 * state.moments.spread + 0.1 * (x @ state.weights["w"]).std(0)
    loss = ((x @ state.weights["w"] - mean) / spread).pow(2).mean()
    (slope,) = torch.autograd.grad(loss, [state.weights["w"]], retain_graph=True)
    weights = {"w": (state.weights["w"] - 0.01 * slope).detach().requires_grad_()}
    moments = Moments(mean, spread)  # <- graph-chain, beside weights
    return state._replace(weights=weights, moments=moments, step=state.step + 1)


def by_moments_in_a_record_beside_its_weights():
    """graph-chain | - | words"""
    torch.manual_seed(0)
    weights = {"w": torch.randn(4, 3, requires_grad=True)}
    state = Learned(weights, Moments(torch.zeros(3), torch.ones(3)), 0)
    for _ in range(STEPS):
        state = _learned_on(state, torch.randn(8, 4))


@dataclass(frozen=True)
class Layer:
    h: torch.Tensor


@dataclass(frozen=True)
class Stack:
    layers: tuple


def by_frozen_layers_in_a_frozen_stack():
    """graph-chain | stack.layers | words"""
    torch.manual_seed(0)
    cells = nn.ModuleList([nn.GRUCell(3, 4), nn.GRUCell(4, 4)])
    stack = Stack(tuple(Layer(torch.zeros(2, 4)) for _ in cells))
    for _ in range(STEPS):
        layers = []
        x = torch.randn(2, 3)
        for cell, layer in zip(cells, stack.layers, strict=True):
            x = cell(x, layer.h)
            layers.append(Layer(x))
        stack = Stack(tuple(layers))  # <-
        x.pow(2).mean().backward(retain_graph=True)
