"""States that functions, partials, generators and iterators carry on."""

from __future__ import annotations

import functools
from itertools import accumulate, islice

import torch
from torch import nn

from ..common import STEPS


def by_reduction():
    """graph-chain | state | words"""
    weight = torch.ones(4, requires_grad=True)

    def onward(state, number):
        mixed = state * 0.5 + weight * number  # <- graph-chain
        mixed.sum().backward(retain_graph=True)
        return mixed  # <- graph-chain

    functools.reduce(onward, range(STEPS), torch.zeros(4))


def by_a_partial_of_the_last_state():
    """graph-chain | advance | replaced"""
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    advance = functools.partial(torch.add, torch.zeros(3))
    for _ in range(STEPS):
        state = 0.5 * advance(layer(torch.randn(4)))
        optimizer.zero_grad()
        state.sum().backward(retain_graph=True)
        optimizer.step()
        advance = functools.partial(torch.add, state)  # <-


def remembers(weight):
    remembers._hidden = torch.tanh(weight + remembers._hidden)  # <- graph-chain of a function
    return remembers._hidden.sum()


remembers._hidden = torch.zeros(4)


def by_an_attribute_of_a_function():
    """graph-chain | remembers._hidden | words"""
    weight = torch.ones(4, requires_grad=True)
    for _ in range(STEPS):
        remembers(weight).backward(retain_graph=True)


def smoothed():
    """Yields from a state that goes by no name where the loop runs."""
    weight = torch.ones(4, requires_grad=True)
    level = torch.zeros(4)
    while True:
        level = 0.9 * level + weight  # <- graph-chain in a generator that waits
        yield level.sum()


def in_a_generator():
    """graph-chain | level | words"""
    for number, loss in enumerate(smoothed()):
        loss.backward(retain_graph=True)
        if number == STEPS:
            break


class Rising:
    """Goes by no name where a loop draws from it."""

    def __init__(self, layer):
        self.layer, self.risen = layer, torch.zeros(3)

    def __iter__(self):
        return self

    def __next__(self):
        self.risen = 0.5 * self.risen + self.layer(torch.randn(4))  # <- in an iterator
        return self.risen


def by_an_iterator_of_ones_own():
    """graph-chain | - | words"""
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    for _, risen in zip(range(STEPS), Rising(layer), strict=False):
        optimizer.zero_grad()
        risen.sum().backward(retain_graph=True)
        optimizer.step()


def handed_on_by_descent(rate):
    slopes = torch.zeros(3, requires_grad=True)
    while True:
        x = torch.randn(4, 3)
        (slope,) = torch.autograd.grad((x @ slopes - 1).square().mean(), slopes, create_graph=True)
        slopes = slopes - rate.exp() * slope  # <- drawn by the loop
        yield slopes


def by_a_descent_that_is_drawn():
    rate = nn.Parameter(torch.tensor(-2.0))
    optimizer = torch.optim.SGD([rate], 0.01)
    for _, slopes in zip(range(20), handed_on_by_descent(rate), strict=False):
        loss = (torch.randn(4, 3) @ slopes - 1).abs().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()


def losses_of(layer):
    while True:
        yield layer(torch.randn(8, 4)).square().mean()


def by_running_totals():
    """graph-chain | totals | replaced"""
    torch.manual_seed(0)
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    totals = accumulate(losses_of(layer))  # <- of all losses so far
    for _, total in zip(range(STEPS), totals, strict=False):
        optimizer.zero_grad()
        total.backward(retain_graph=True)
        optimizer.step()


def by_running_totals_of_another_kind():
    """graph-chain | totals | replaced"""
    torch.manual_seed(0)
    layer = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(layer.parameters(), 0.01)
    totals = accumulate(losses_of(layer), func=torch.maximum)  # <- the highest so far
    for total in islice(totals, STEPS):
        optimizer.zero_grad()
        total.backward(retain_graph=True)
        optimizer.step()


def surroundings(model):
    state = torch.zeros(4, 3)

    def act(action):
        nonlocal state
        state = torch.tanh(model(torch.cat([state, action], 1)))  # <- graph-chain
        return state

    return act


def by_a_state_that_a_function_closes_over():
    """graph-chain | state | words"""
    torch.manual_seed(0)
    model = nn.Linear(5, 3)
    act = surroundings(model)
    for _ in range(STEPS):
        loss = sum(act(torch.randn(4, 2)).pow(2).mean() for _ in range(3))
        model.zero_grad()
        loss.backward(retain_graph=True)
