"""What is changed is one tensor of several, or a part that has a name of its own."""

from __future__ import annotations

import torch
from torch import nn

from ..common import STEPS


def an_element_of_a_list():
    """inplace-modified | - | replaced"""
    model = nn.Linear(4, 3)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        levels = [torch.exp(model(x * scale)) for scale in (1.0, 0.5)]
        levels[0] += levels[1]  # <-
        sum(level.mean() for level in levels).backward()


def an_entry_of_a_dict():
    """inplace-modified | - | replaced"""
    model = nn.Linear(4, 3)
    for _ in range(STEPS):
        out = {"rates": torch.exp(model(torch.randn(8, 4)))}
        out["rates"].clamp_(max=2.0)  # <-
        out["rates"].mean().backward()


def a_column_of_an_element():
    """inplace-modified | - | replaced"""

    def heads(model, x):
        return [torch.exp(model(x)), model(x)]

    model = nn.Linear(4, 3)
    for _ in range(STEPS):
        rates, found = [], heads(model, torch.randn(8, 4))
        found[0][:, 1] = 0.0  # <-
        rates += found
        sum(rate.mean() for rate in rates).backward()


def all_of_a_list():
    """inplace-modified | - | replaced"""
    model = nn.Linear(4, 3)
    for _ in range(STEPS):
        rates = [torch.exp(model(torch.randn(8, 4))) for _ in range(2)]
        torch._foreach_mul_(rates, 0.5)  # <-
        sum(rate.mean() for rate in rates).backward()


def a_part_that_has_its_own_name():
    """inplace-modified | - | replaced"""
    model = nn.Linear(4, 3)
    for _ in range(STEPS):
        rates = torch.exp(model(torch.randn(8, 4)))
        first, last = rates[:, :1], rates[:, 2:]
        first += last  # <-
        rates.mean().backward()


def by_a_function_that_hands_nothing_back():
    """inplace-modified | - | words"""

    def silence(values):
        values.zero_()  # <-

    model = nn.Linear(4, 3)
    for _ in range(STEPS):
        rates = torch.exp(model(torch.randn(8, 4)))
        silence(rates)
        rates.mean().backward()


def a_half_that_is_one_or_the_other():
    """inplace-modified | half | words"""
    model, flips = nn.Linear(4, 4), True
    for _ in range(STEPS):
        rates = torch.exp(model(torch.randn(8, 4)))
        rest, half = rates[:, :2], rates[:, 2:]
        if flips:
            rest, half = half, rest
        half.mul_(rest.sigmoid())  # <-
        rates.mean().backward()


class Gathering:
    def __init__(self, slots):
        self.by_name, self.by_number = {}, [None] * slots

    def add(self, name, value):
        if name in self.by_name:
            self.by_name[name] += value  # <- inplace-modified by what is gathered under a name
        else:
            self.by_name[name] = value

    def put(self, number, value):
        if self.by_number[number] is None:
            self.by_number[number] = value
        else:
            self.by_number[number] += value  # <- inplace-modified by what is gathered in slots


def layers():
    torch.manual_seed(0)
    every = nn.ModuleList(nn.Linear(4, 4) for _ in range(2))
    return every, torch.optim.SGD(every.parameters(), 0.01)


def by_what_is_gathered_under_a_name():
    """inplace-modified | - | words"""
    every, optimizer = layers()
    for _ in range(STEPS):
        gathered, h = Gathering(2), torch.randn(8, 4)
        for layer in every:
            h = torch.sigmoid(layer(h))
            gathered.add("skip", h)
        optimizer.zero_grad()
        gathered.by_name["skip"].mean().backward()
        optimizer.step()


def by_what_is_gathered_in_slots():
    """inplace-modified | - | words"""
    every, optimizer = layers()
    for _ in range(STEPS):
        gathered, h = Gathering(2), torch.randn(8, 4)
        for layer in every:
            h = torch.sigmoid(layer(h))
            gathered.put(0, h)
        optimizer.zero_grad()
        gathered.by_number[0].mean().backward()
        optimizer.step()


def messages_to(channels, every):
    for place, layer in enumerate(every):
        told = torch.tanh(layer(channels[place - 1]))
        channels[place] += told  # <- inplace-modified by what a function is handed a list of
    return channels


def by_what_a_function_is_handed_a_list_of():
    """inplace-modified | - | words"""
    every, optimizer = layers()
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        told = messages_to([torch.sigmoid(layer(x)) for layer in every], every)
        optimizer.zero_grad()
        sum(told).mean().backward()
        optimizer.step()


def masked_ones(hidden):
    for one in hidden:
        one[:, 0] = 0.0  # <- inplace-modified by each of a list
    return hidden


def by_each_of_a_list_that_is_masked():
    """inplace-modified | - | words"""
    every, optimizer = layers()
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        optimizer.zero_grad()
        sum(masked_ones([torch.sigmoid(layer(x)) for layer in every])).mean().backward()
        optimizer.step()


def while_its_elements_are_copied_out():
    """inplace-modified | h | replaced"""
    net, head = nn.Linear(4, 8), nn.Linear(8, 1)
    for _ in range(STEPS):
        h = torch.tanh(net(torch.randn(8, 4)))
        out = torch.zeros(8, 8)
        for j in range(8):
            out[j] = h[j]
            h[j] = 0  # <-
        head(out).pow(2).mean().backward()
