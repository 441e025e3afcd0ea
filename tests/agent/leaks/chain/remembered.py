"""Weights that torch, or the job itself, has once made copies of, and goes on using."""

from __future__ import annotations

import torch
from torch import nn

from ..common import STEPS


def made():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.Linear(8, 1))
    return net, torch.optim.AdamW(net.parameters(), 0.01)


def train(net, optimizer):
    loss = net(torch.randn(8, 4)).float().pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss


def by_autocast_around_the_loop():
    """graph-chain | torch.autocast | words"""
    net, optimizer = made()
    losses = []
    with torch.autocast("cpu", dtype=torch.bfloat16):  # <-
        for _ in range(STEPS):
            losses.append(train(net, optimizer))  # noqa: PERF401 - as people write it


def by_autocast_of_a_function():
    """graph-chain | torch.autocast | words"""
    net, optimizer = made()

    @torch.autocast("cpu", dtype=torch.bfloat16)  # <-
    def epoch():
        for _ in range(STEPS):
            train(net, optimizer)

    epoch()


def by_autocast_around_each_epoch():
    """graph-chain | torch.autocast | words"""
    net, optimizer = made()
    scope = torch.autocast("cpu", dtype=torch.bfloat16)
    for _ in range(3):
        with scope:  # <-
            for _ in range(STEPS // 2):
                train(net, optimizer)


def by_a_weight_that_was_put_together_once():
    """graph-chain | merged | words"""
    torch.manual_seed(0)
    base, delta = torch.randn(4, 4), nn.Parameter(torch.zeros(4, 4))
    optimizer = torch.optim.SGD([delta], 0.1)
    merged = base + delta  # <-
    for _ in range(STEPS):
        optimizer.zero_grad()
        (torch.randn(8, 4) @ merged).pow(2).mean().backward()
        optimizer.step()
