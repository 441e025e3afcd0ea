"""States that lie in something and are put there by a call; the loss reads the newest there."""

from __future__ import annotations

import collections
import contextvars

import torch
from torch import nn

from ..common import STEPS, sgd_of

STATE: contextvars.ContextVar[torch.Tensor] = contextvars.ContextVar("state")


def model():
    torch.manual_seed(0)
    return nn.Linear(4, 3)


def train(optimizer, loss):
    optimizer.zero_grad()
    loss.backward(retain_graph=True)
    optimizer.step()


def by_the_last_of_a_list():
    """graph-chain | means | replaced"""
    net, means = model(), [torch.zeros(3)]
    optimizer = sgd_of(net)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        means.append(0.9 * means[-1] + 0.1 * net(x).mean(0))  # <- graph-chain
        train(optimizer, means[-1].pow(2).mean())


def by_what_is_popped():
    """graph-chain | means | replaced"""
    net, means = model(), collections.deque([torch.zeros(3)])
    optimizer = sgd_of(net)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        means.append(0.9 * means.popleft() + 0.1 * net(x).mean(0))  # <- graph-chain
        train(optimizer, means[-1].pow(2).mean())


def by_what_is_got():
    """graph-chain | STATE | replaced"""
    net = model()
    optimizer = sgd_of(net)
    STATE.set(torch.zeros(3))
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        STATE.set(0.9 * STATE.get() + 0.1 * net(x).mean(0))  # <- graph-chain
        train(optimizer, STATE.get().pow(2).mean())


def by_what_is_read_ahead():
    """graph-chain | means | words"""
    net, means = model(), [torch.zeros(3)]
    optimizer = sgd_of(net)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        old = means[-1]
        means.append(0.9 * old + 0.1 * net(x).mean(0))  # <- graph-chain
        train(optimizer, means[-1].pow(2).mean())


def by_an_update_read_ahead():
    """graph-chain | state['mean'] | words"""
    net, state = model(), {"mean": torch.zeros(3)}
    optimizer = sgd_of(net)
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        old = state["mean"]
        state.update(mean=0.9 * old + 0.1 * net(x).mean(0))  # <- graph-chain
        train(optimizer, state["mean"].pow(2).mean())


MAYBE: contextvars.ContextVar[torch.Tensor | None] = contextvars.ContextVar("maybe", default=None)


def by_what_is_not_there_at_first():
    """graph-chain | MAYBE | replaced"""
    net = model()
    optimizer = sgd_of(net)
    MAYBE.set(None)
    for _ in range(STEPS):
        new = net(torch.randn(8, 4)).mean(0)
        MAYBE.set(mixed(MAYBE.get(), new))  # <- graph-chain
        train(optimizer, MAYBE.get().pow(2).mean())


def mixed(old, new):
    return new if old is None else 0.9 * old + 0.1 * new


def by_a_dict_of_a_pair_and_a_tensor_and_a_count():
    """graph-chain | state | words"""
    torch.manual_seed(0)
    cell, gate, rows = nn.LSTMCell(3, 4), nn.GRUCell(4, 4), torch.zeros(2, 4)
    state = {"cell": (rows, rows), "gate": rows, "steps": 0}
    for _ in range(STEPS):
        seen, kept = cell(torch.randn(2, 3), state["cell"])
        gated = gate(seen, state["gate"])
        state = {"cell": (seen, kept), "gate": gated, "steps": state["steps"] + 1}  # <-
        cell.zero_grad()
        gated.pow(2).mean().backward(retain_graph=True)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.reads = nn.LSTMCell(4, 4)

    def forward(self, x, known):
        h, c = self.reads(x, (known["h"], known["c"]))
        return h, {"h": h, "c": c, "read": known["read"] + len(x)}


class Reading:
    def __init__(self):
        self.reader = Reader()
        self.known_by_now = {"h": torch.zeros(8, 4), "c": torch.zeros(8, 4), "read": 0}

    def read(self, x):
        made, known = self.reader(x, self.known_by_now)
        made.sum().backward(retain_graph=True)
        self.known_by_now = known  # <- graph-chain, all of it


def by_all_that_a_record_has():
    """graph-chain | - | words"""
    torch.manual_seed(0)
    reading = Reading()
    for _ in range(STEPS):
        reading.read(torch.randn(8, 4))


class Baseline:
    def __init__(self):
        self.common = torch.zeros(())

    def update(self, reward, trusted):
        if trusted:
            self.common = 0.9 * self.common + 0.1 * reward  # <- graph-chain
        else:
            self.common = 0.9 * self.common + 0.1 * reward.detach()


def by_one_of_two_branches():
    """graph-chain | baseline.common | words"""
    net, baseline = model(), Baseline()
    optimizer = sgd_of(net)
    for number in range(STEPS):
        reward = net(torch.randn(8, 4)).pow(2).mean()
        train(optimizer, reward + 0.1 * (reward - baseline.common).abs())
        baseline.update(reward, trusted=number % 3 == 0)
