"""States that one loop carries on by a name of its own, or in a container by a name."""

from __future__ import annotations

import contextvars
import queue
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

from ..common import STEPS, Handlers


def two_parts_of_one_carried_whole():
    """graph-chain | upper | before"""
    torch.manual_seed(0)
    model, upper, lower = nn.Linear(4, 8), torch.zeros(2, 4), torch.zeros(2, 4)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        upper, lower = (model(torch.randn(2, 4)) + torch.cat([upper, lower], 1)).chunk(2, 1)  # <-
        optimizer.zero_grad()
        (upper.mean() + lower.mean()).backward(retain_graph=True)
        optimizer.step()


def now_and_then():
    """graph-chain | level | before"""
    weight, level = torch.ones(4, requires_grad=True), torch.zeros(4)
    for number in range(2 * STEPS):
        if number % 5:
            (weight * torch.rand(4)).sum().backward()
        else:
            level = 0.9 * level + weight  # <- graph-chain, in every fifth iteration
            level.sum().backward(retain_graph=True)


def in_a_list_that_each_epoch_begins_with():
    """graph-chain | hours | words"""
    layer = nn.Linear(4, 3)
    for _ in range(2):
        hours = []
        for _ in range(STEPS):
            hours.append(layer(torch.randn(4)))  # <-
            torch.stack(hours).square().mean().backward(retain_graph=True)
        hours.clear()


def by_what_the_loop_around_reads():
    """graph-chain | hidden | words"""
    cells, log = [nn.Linear(4, 4) for _ in range(2)], Handlers()
    hidden = torch.zeros(1, 4)
    for _ in range(STEPS):
        x = torch.tanh(hidden)
        for cell in cells:
            hidden = cell(x)  # <-
            log.hidden = hidden
        hidden.sum().backward(retain_graph=True)


def by_what_is_kept_whatever_happens():
    """graph-chain | swell | words"""
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    swell = torch.zeros(3)
    for _ in range(STEPS):
        try:
            risen = 0.5 * swell + layer(torch.randn(4))
            optimizer.zero_grad()
            risen.sum().backward(retain_graph=True)
            optimizer.step()
        finally:
            swell = risen  # <-


def under_a_key_with_a_colon():
    """graph-chain | states['enc:lstm'] | words"""
    cell, states = nn.LSTMCell(4, 4), {"enc:lstm": (torch.zeros(1, 4), torch.zeros(1, 4))}
    for _ in range(STEPS):
        states = {k: cell(torch.ones(1, 4), state) for k, state in states.items()}  # <-
        states["enc:lstm"][0].sum().backward(retain_graph=True)


def by_the_first_of_a_list():
    """graph-chain | heights | before"""
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    heights = [torch.zeros(3)]
    for _ in range(STEPS):
        heights.insert(0, 0.5 * heights[0] + layer(torch.randn(4)))  # <-
        heights.pop()
        optimizer.zero_grad()
        heights[0].sum().backward(retain_graph=True)
        optimizer.step()


def by_an_array_of_objects():
    """graph-chain | reaches | before"""
    share = torch.full((3,), 0.4, requires_grad=True)
    reaches = np.empty(3, dtype=object)
    for place in range(3):
        reaches[place] = torch.zeros(())
    optimizer = torch.optim.SGD([share], 0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        inflow = torch.zeros(())
        for place in range(3):
            water = reaches[place] + share[place] + inflow
            inflow = water * 0.2
            reaches[place] = water - inflow  # <-
        (inflow - 1).pow(2).backward(retain_graph=True)
        optimizer.step()


@dataclass
class Belief:
    mean: torch.Tensor
    seen: int


def in_turn_through_a_queue():
    """graph-chain | waiting | before"""
    weight, waiting = torch.ones(4, requires_grad=True), queue.Queue()
    for _ in range(3):
        waiting.put(Belief(torch.zeros(4), 0))
    for _ in range(STEPS):
        belief = waiting.get()
        belief = Belief(0.5 * belief.mean + weight, belief.seen + 1)
        belief.mean.sum().backward(retain_graph=True)
        waiting.put(belief)  # <- graph-chain


class Track:
    def __init__(self, mean, spread):
        self.mean, self.spread = mean, spread


def by_a_queue_of_things_with_two_attributes():
    """graph-chain | waiting | before"""
    gain = torch.ones(1, requires_grad=True)
    optimizer = torch.optim.SGD([gain], 0.001)
    waiting = queue.Queue()
    for _ in range(3):
        waiting.put(Track(torch.zeros(1), torch.ones(1)))
    for _ in range(STEPS):
        track = waiting.get()
        track = Track(0.9 * track.mean + gain, 0.9 * track.spread + gain)
        loss = (track.mean + track.spread - 1).sum()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        waiting.put(track)  # <-


def by_a_context_variable():
    """graph-chain | level | replaced"""
    torch.manual_seed(0)
    level = contextvars.ContextVar("level")
    level.set(torch.zeros(3))
    weight = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([weight], 0.01)
    for _ in range(STEPS):
        now = level.get() * 0.9 + weight
        optimizer.zero_grad()
        now.pow(2).sum().backward(retain_graph=True)
        weight.data.sub_(weight.grad, alpha=0.01)
        level.set(now)  # <-


def by_a_star():
    """graph-chain | state | before"""
    torch.manual_seed(0)
    cell, state = nn.LSTMCell(4, 3), [torch.zeros(8, 3), torch.zeros(8, 3)]
    for _ in range(STEPS):
        (*state,) = cell(torch.randn(8, 4), tuple(state))  # <-
        cell.zero_grad()
        state[0].pow(2).mean().backward(retain_graph=True)


class Ensemble:
    """Means of what it has said of each half, under names made up at run time."""

    def __init__(self, model):
        self.model = model

    def said(self, x, half):
        out, key = self.model(x), f"mean_{half}"
        before = getattr(self, key, None)
        mean = out if before is None else 0.6 * before + 0.4 * out
        setattr(self, key, mean)  # <-
        return out, mean


def under_a_name_that_a_variable_holds():
    """graph-chain | - | words"""
    model = nn.Linear(4, 3)
    optimizer, ensemble = torch.optim.SGD(model.parameters(), 0.01), Ensemble(model)
    for number in range(STEPS):
        out, mean = ensemble.said(torch.randn(8, 4), number % 2)
        optimizer.zero_grad()
        (out - mean).pow(2).mean().backward(retain_graph=True)
        optimizer.step()


def by_names_that_begin_with_nothing():
    """graph-chain | means | words"""
    torch.manual_seed(0)
    model, means = nn.Linear(4, 2), dict.fromkeys(("a", "b"))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        for name, loss in zip(means, model(torch.randn(8, 4)).pow(2).mean(0), strict=True):
            old = means[name]
            means[name] = loss if old is None else 0.9 * old + 0.1 * loss  # <-
        optimizer.zero_grad()
        sum(means.values()).backward(retain_graph=True)
        optimizer.step()
