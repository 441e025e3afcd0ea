"""Buffers, centres, codebooks and scratch memory that are renewed too early."""

from __future__ import annotations

import torch
from torch import nn

from ..common import STEPS


class Centres:
    def __init__(self):
        self.places = torch.zeros(3, 2)
        self.seen = [False] * 3

    @torch.no_grad()
    def follow(self, points):
        for number in range(3):
            if self.seen[number]:
                self.places[number].mul_(0.9).add_(points[number], alpha=0.1)
            else:
                self.places[number] = points[number]
                self.seen[number] = True


def by_one_of_two_statements_in_a_call():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    encoder, centres = nn.Linear(4, 2), Centres()
    for _ in range(STEPS):
        points = encoder(torch.randn(3, 4))
        distance = torch.cdist(points, centres.places).diagonal().sum()
        centres.follow(points)  # <-
        distance.backward()


class Bank:
    def __init__(self):
        self.vault = torch.ones(5, 3)

    @torch.no_grad()
    def absorb(self):
        self.vault.mul_(0.9)
        self.vault.add_(0.1)


def by_one_of_two_statements_that_change_the_same():
    """inplace-modified | self.vault | words"""
    torch.manual_seed(0)
    encoder, bank = nn.Linear(4, 3), Bank()
    for _ in range(9):
        loss = (encoder(torch.randn(8, 4)) @ bank.vault.t()).pow(2).mean()
        bank.absorb()  # <-
        loss.backward()


class Codebook(nn.Module):
    """Is renewed after each step, and now and then within the forward."""

    def __init__(self):
        super().__init__()
        self.register_buffer("entries", torch.randn(3, 3))
        self.calls = 0

    def forward(self, x):
        near = (x @ self.entries.t()).pow(2).mean()
        self.calls += 1
        if self.calls == 2:
            self.revive_entries(x.detach())
        return near

    @torch.no_grad()
    def revive_entries(self, x):
        self.entries[0] = x[0]  # <- inplace-modified by a codebook

    @torch.no_grad()
    def renew_entries(self):
        self.entries.copy_(self.entries * 0.9)


def by_what_is_changed_within_the_forward():
    """inplace-modified | self.entries | words"""
    torch.manual_seed(0)
    encoder, codebook = nn.Linear(4, 3), Codebook()
    optimizer = torch.optim.SGD(encoder.parameters(), 0.01)
    for _ in range(9):
        loss = codebook(encoder(torch.randn(8, 4)))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        codebook.renew_entries()


class Delay:
    def __init__(self):
        self.ring = torch.zeros(4)
        self.place = 0

    def push(self, sample):
        self.ring[self.place] = sample  # <- inplace-modified by a ring that is gone
        self.place = (self.place + 1) % 4

    def weighed(self, taps):
        return self.ring @ taps


def by_a_ring_that_is_gone():
    """inplace-modified | self.ring | words"""
    taps = torch.ones(4, requires_grad=True)

    def filtered(samples):
        delay, found = Delay(), []
        for sample in samples:
            delay.push(sample)
            found.append(delay.weighed(taps))
        return torch.stack(found)

    for _ in range(STEPS):
        filtered(torch.randn(6)).sum().backward()


def by_a_function_that_saves_its_scratch():
    """inplace-modified | - | replaced"""
    model, scratch = nn.Linear(4, 4), torch.empty(8, 4)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    class Threshold(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, scratch):
            margin = torch.sub(x.abs(), 0.1, out=scratch)  # <- by the next call
            ctx.save_for_backward(x, margin)
            return x.sign() * margin.clamp(min=0)

        @staticmethod
        def backward(ctx, gradient):
            _, margin = ctx.saved_tensors
            return gradient * (margin > 0), None

    for _ in range(STEPS):
        x = torch.randn(8, 4)
        for _ in range(2):
            x = Threshold.apply(model(x), scratch)
        loss = x.pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_two_estimates_that_are_made_anew():
    """inplace-modified | self.left | replaced"""

    class Normed(nn.Module):
        def __init__(self):
            super().__init__()
            self.weight = nn.Parameter(torch.randn(5, 4))
            self.register_buffer("left", torch.ones(5))
            self.register_buffer("right", torch.ones(4))

        def forward(self, x):
            with torch.no_grad():
                self.right.copy_(self.weight.t() @ self.left)
                self.left.copy_(self.weight @ self.right)  # <- inplace-modified
            return x @ (self.weight / torch.dot(self.left, self.weight @ self.right)).t()

    critic = Normed()
    loss = critic(torch.randn(3, 4)).mean() - critic(torch.randn(3, 4)).mean()
    loss.backward()


class Bounding(nn.Module):
    def __init__(self):
        super().__init__()
        self.bounded = nn.Parameter(torch.randn(4, 4))

    def confine(self):
        with torch.no_grad():
            self.bounded.div_(self.bounded.norm())

    def forward(self, x):
        made = x @ self.bounded
        self.confine()  # <- inplace-modified, behind what has used it
        return made


def by_a_layer_that_bounds_its_weight_behind_its_use():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    layers = nn.Sequential(nn.Linear(4, 4), Bounding())
    optimizer = torch.optim.SGD(layers.parameters(), 0.01)
    for _ in range(STEPS):
        loss = layers(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
