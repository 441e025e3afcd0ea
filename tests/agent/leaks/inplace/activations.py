"""Statements that change an activation, or a view of it, ahead of the backward."""

from __future__ import annotations

import torch
from torch import nn

from ..common import STEPS


def an_augmented_activation():
    """inplace-modified | - | replaced"""
    torch.manual_seed(0)
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], 0.01)
    for _ in range(STEPS):
        h = torch.sigmoid(first(torch.randn(8, 4)))
        h += 1  # <-
        optimizer.zero_grad()
        second(h).mean().backward()
        optimizer.step()


def an_element_assigned():
    """inplace-modified | - | replaced"""
    torch.manual_seed(0)
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], 0.01)
    for _ in range(STEPS):
        h = torch.tanh(first(torch.randn(8, 4)))
        h[:, 0] = 0.0  # <-
        optimizer.zero_grad()
        second(h).mean().backward()
        optimizer.step()


def a_method_in_place():
    """inplace-modified | - | replaced"""
    torch.manual_seed(0)
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], 0.01)
    for _ in range(STEPS):
        h = first(torch.randn(8, 4)).exp()
        h.clamp_(max=3.0)  # <-
        optimizer.zero_grad()
        second(h).mean().backward()
        optimizer.step()


def a_functional_in_place():
    """inplace-modified | - | replaced"""
    torch.manual_seed(0)
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], 0.01)
    for _ in range(STEPS):
        h = torch.tanh(first(torch.randn(8, 4)))
        h = nn.functional.relu(h, inplace=True)  # <-
        optimizer.zero_grad()
        second(h).mean().backward()
        optimizer.step()


def a_change_without_gradient():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    optimizer = torch.optim.SGD([*first.parameters(), *second.parameters()], 0.01)
    for _ in range(STEPS):
        h = torch.sigmoid(first(torch.randn(8, 4)))
        with torch.no_grad():
            h.mul_(0.5)  # <-
        optimizer.zero_grad()
        second(h).mean().backward()
        optimizer.step()


def by_a_view_of_it():
    """inplace-modified | shown | replaced"""
    torch.manual_seed(0)
    model = nn.Linear(4, 3)
    for _ in range(STEPS):
        shares = model(torch.randn(8, 4)).softmax(1)
        loss = -shares.log().mean()
        shown = shares.detach()[:, 1:]
        shown.clamp_(min=0.4)  # <-
        loss.backward()


def by_rows_that_are_made_of_one_another():
    """inplace-modified | heat | replaced"""
    rate = torch.tensor(0.1, requires_grad=True)
    start = torch.linspace(0, 1, 8)
    for _ in range(4):
        heat = start * rate.exp()
        for _ in range(3):
            heat[1:-1] += rate * heat[1:-1] * (heat[2:] - heat[:-2])  # <-
        heat.sum().backward()


def by_two_changes_in_a_row():
    """inplace-modified | timber | replaced"""
    torch.manual_seed(0)
    spark = nn.Linear(4, 4)
    for horizon in range(1, 4):
        timber, flames = torch.rand(8, 4), torch.rand(8, 4)
        for ahead in range(horizon):
            flames = spark(flames).sigmoid() * timber
            if ahead + 1 < horizon:
                timber -= 0.1 * flames.detach()  # <-
                timber.clamp_(min=0)
        flames.mean().backward()


def by_the_one_of_two_changes_in_a_row_that_comes_after():
    """inplace-modified | embers | replaced"""
    torch.manual_seed(0)
    spark = nn.Linear(4, 4)
    for _ in range(2):
        embers, glow = torch.rand(8, 4), torch.rand(8, 4)
        embers *= 0.9
        glow = spark(glow).sigmoid() * embers
        embers.clamp_(min=0)  # <-
        glow.mean().backward()


def by_two_stores_that_are_filled_side_by_side():
    """inplace-modified | - | replaced"""
    torch.manual_seed(0)
    key, value = nn.Linear(4, 4), nn.Linear(4, 4)
    optimizer = torch.optim.SGD([*key.parameters(), *value.parameters()], 0.01)
    for _ in range(STEPS):
        keys, values, outs = torch.zeros(3, 4), torch.zeros(3, 4), []
        for place in range(3):
            x = key(torch.randn(4))
            keys[place] = key(x)  # <-
            values[place] = value(x)  # <-
            outs.append((keys @ x).softmax(0) @ values)
        loss = torch.stack(outs).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_diagonal_that_is_filled():
    """inplace-modified | alike | replaced"""
    model = nn.Linear(4, 3)
    for _ in range(STEPS):
        found = model(torch.randn(6, 4))
        alike = (found @ found.t()).softmax(1)
        alike.fill_diagonal_(0.0)  # <- inplace-modified
        alike.pow(2).mean().backward()


class Halves(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(4, 8), nn.Linear(8, 1)

    def parted(self, h):
        return {"left": h[:, :4], "right": h[:, 4:]}

    def forward(self, x):
        h = torch.sigmoid(self.first(x))
        parts = self.parted(h)
        parts["left"] *= 2  # <- inplace-modified, a view that lies in a dict
        return self.second(h)


def a_view_that_lies_in_a_dict():
    """inplace-modified | h | words"""
    model = Halves()
    for _ in range(STEPS):
        model(torch.randn(8, 4)).mean().backward()


def by_heads_that_are_scaled_by_their_sums():
    """inplace-modified | heads | replaced"""
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    for _ in range(STEPS):
        h = torch.sigmoid(first(torch.randn(8, 4)))
        heads = h.view(-1, 2, 4)
        heads[:, 0] = heads[:, 0] / heads[:, 0].sum(-1, keepdim=True)  # <-
        second(h).mean().backward()


def by_a_view_that_is_taken_on_the_spot():
    """inplace-modified | - | replaced"""
    torch.manual_seed(0)
    first, second = nn.Linear(4, 8), nn.Linear(8, 1)
    for _ in range(STEPS):
        x = torch.sigmoid(first(torch.randn(8, 4)))
        x.view(x.shape[0], -1)[torch.rand(8) > 0.5] = 0  # <-
        second(x).mean().backward()


def bounded(inputs, outputs):
    linear = nn.Linear(inputs, outputs)
    return nn.Sequential(linear, nn.Tanh(), nn.Dropout(0.1, inplace=True))  # <- of a sequence


def by_a_module_behind_another_in_a_sequence():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    net = nn.Sequential(bounded(4, 8), bounded(8, 8), nn.Linear(8, 1))
    for _ in range(STEPS):
        net(torch.randn(8, 4)).pow(2).mean().backward()
