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
