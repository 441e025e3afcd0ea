"""What is computed once and remembered by hand: in an attribute, in a dict."""

from __future__ import annotations

import collections
import random

import torch
from torch import nn

from ..common import STEPS


class Refreshed:
    def __init__(self, model):
        self.model, self.drafted, self.drafted_at = model, None, -1

    def at(self, number):
        if number > self.drafted_at:
            self.drafted = torch.tanh(self.model(torch.ones(3, 4)))  # <-
            self.drafted_at = number
        return self.drafted


def by_what_is_refreshed_once_for_two_backwards():
    """second-backward | refreshed.drafted | words"""
    model = nn.Linear(4, 4)
    refreshed = Refreshed(model)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for number in range(STEPS):
        for _ in range(2):
            loss = model(torch.randn(8, 4)).pow(2).mean() + refreshed.at(number).pow(2).mean()
            loss.backward()
        optimizer.step()
        optimizer.zero_grad()


class Labels:
    def __init__(self, encode):
        self.encode, self.rows = encode, {}

    def matrix(self, task):
        rows = self.rows.get(task)
        if rows is None:
            rows = self.rows[task] = self.encode(torch.ones(2, 4))  # <-
        return rows


def by_a_memory_that_two_batches_of_one_step_ask():
    """second-backward | labels.rows['a'] | words"""
    model = nn.Sequential(nn.Linear(4, 4), nn.Tanh())
    optimizer, labels = torch.optim.SGD(model.parameters(), lr=0.01), Labels(model)
    for _ in range(STEPS):
        optimizer.zero_grad()
        for _ in range(2):
            (model(torch.randn(3, 4)) @ labels.matrix("a").t()).pow(2).sum().backward()
        optimizer.step()
        labels.rows.clear()


class Propagation(nn.Module):
    def __init__(self):
        super().__init__()
        self.edges, self.mix, self.memo = nn.Parameter(torch.zeros(4, 4)), nn.Linear(3, 1), None

    def matrix(self):
        if self.memo is None:
            self.memo = self.edges.exp() / self.edges.exp().sum()  # <-
        return self.memo

    def forward(self, x):
        return self.matrix() @ self.mix(x)


def by_a_memory_of_one_thing():
    """second-backward | net.memo | words"""
    torch.manual_seed(0)
    net = Propagation()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        net(torch.randn(4, 3)).pow(2).mean().backward()
        optimizer.step()


class Pooling:
    def __init__(self, pool):
        self.pool, self.pooled = pool, {}

    def of(self, number, row):
        if number not in self.pooled:
            self.pooled[number] = self.pool(row).tanh()  # <-
        return self.pooled[number]

    def __call__(self, rows):
        return torch.stack([self.of(number, row) for number, row in rows])


class Training:
    def __init__(self):
        torch.manual_seed(0)
        self.pooling = Pooling(nn.Linear(3, 3))
        self.head = nn.Linear(3, 1)
        weights = [*self.pooling.pool.parameters(), *self.head.parameters()]
        self.optimizer = torch.optim.SGD(weights, lr=0.01)

    def fit(self, rows):
        for _ in range(2):
            for at in range(0, len(rows), 4):
                batch = self.pooling(rows[at : at + 4])
                self.optimizer.zero_grad()
                self.head(batch).pow(2).mean().backward()
                self.optimizer.step()


def by_a_memory_that_another_self_fills():
    """second-backward | self.pooling.pooled | words"""
    Training().fit(list(enumerate(torch.randn(48, 3))))


class Backwards(torch.autograd.Function):
    """Turns gradients around, and saves nothing."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, gradient):
        return -gradient


class OneStep:
    """What the two losses of a step share."""

    def __init__(self, encoder, x):
        self.encoder, self.x, self.made = encoder, x, None

    @property
    def pooled(self):
        if self.made is None:
            self.made = self.encoder(self.x).tanh()
        return self.made


def behind_a_function_that_saves_nothing():
    """second-backward | shared.made | words"""
    torch.manual_seed(0)
    encoder, head, other = nn.Linear(4, 3), nn.Linear(3, 2), nn.Linear(3, 2)
    losses = [
        lambda shared: head(shared.pooled).pow(2).mean(),
        lambda shared: other(Backwards.apply(shared.pooled)).exp().mean(),
    ]
    optimizer = torch.optim.SGD([*encoder.parameters(), *head.parameters()], 0.01)
    for number in range(40):
        shared = OneStep(encoder, torch.randn(8, 4))
        optimizer.zero_grad()
        for loss in losses[: 1 + number // 6]:
            loss(shared).backward()  # <-
        optimizer.step()


def by_a_dict_that_makes_what_is_missing():
    """second-backward | offsets | words"""

    class Lazily(collections.UserDict):
        def __init__(self, make):
            super().__init__()
            self.make = make

        def __missing__(self, key):
            self[key] = self.make(key)  # <-
            return self[key]

    model = nn.Linear(1, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    offsets = Lazily(lambda length: model(torch.full((length, 1), 0.5)).tanh())
    for n in range(STEPS):
        loss = offsets[1 + n % 4].pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Mixing(nn.Module):
    def __init__(self, table):
        super().__init__()
        self.table = table
        self.proj = nn.Linear(4, 4)

    def forward(self, x):
        return self.proj(x @ self.table)


class Farm(nn.Module):
    def __init__(self):
        super().__init__()
        self.sites = nn.Parameter(torch.randn(4, 4))
        table = self.sites.softmax(-1)  # <- and not where the constructor puts it away
        self.first, self.second = Mixing(table), Mixing(table)

    def forward(self, x):
        return self.second(self.first(x))


def by_what_its_parts_are_made_with():
    """second-backward | farm.first.table | words"""
    torch.manual_seed(0)
    farm = Farm()
    optimizer = torch.optim.SGD(farm.parameters(), 0.01)
    for _ in range(STEPS):
        loss = farm(torch.randn(8, 4)).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Segments:
    """What a method of its own puts away by names."""

    def __init__(self):
        self.rolled = []

    def put_away(self, **fields):
        self.rolled.append(fields)


def by_a_state_that_is_handed_over_beside_a_dict():
    """second-backward | segments.rolled | replaced"""
    torch.manual_seed(0)
    cell, segments = nn.GRUCell(4, 4), Segments()
    optimizer = torch.optim.SGD(cell.parameters(), 0.01)
    for number in range(9):
        rest = {"seen": torch.randn(8, 4), "number": number}
        begun = cell(rest["seen"])
        loss = begun.square().mean()
        if number > 4:
            taken = segments.rolled[number // 2]
            loss = loss + cell(taken["seen"], taken["begun"]).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        segments.put_away(begun=begun, **rest)  # <-


class Stored:
    """What is put away by names, and handed out by chance."""

    def __init__(self):
        self.put = []

    def push(self, **item):
        self.put.append(item)

    def drawn(self, many):
        return random.sample(self.put, many)


class Remembering:
    def __init__(self):
        self.stored = Stored()

    def add(self, **item):
        self.stored.push(**item)


def by_what_is_drawn_of_a_store_that_is_handed_what_it_keeps():
    """second-backward | - | words"""
    torch.manual_seed(0)
    random.seed(0)
    encode, judge, remembering = nn.Linear(4, 3), nn.Linear(3, 1), Remembering()
    optimizer = torch.optim.SGD([*encode.parameters(), *judge.parameters()], 0.01)

    def collect():
        for _ in range(4):
            seen = torch.randn(4)
            remembering.add(seen=seen, latent=encode(seen).tanh())  # <-

    def learn():
        drawn = remembering.stored.drawn(4)
        latents = torch.stack([each["latent"] for each in drawn])
        optimizer.zero_grad()
        judge(latents).square().mean().backward()
        optimizer.step()

    for _ in range(9):
        collect()
        learn()


class Rows:
    def __init__(self):
        self.data = []

    def add(self, **row):
        self.data.append(row)

    def last(self, count):
        return self.data[-count:]


def by_rows_of_which_the_last_are_learned_again():
    """second-backward | rows.data | words"""
    torch.manual_seed(0)
    net, rows = nn.Linear(4, 3), Rows()
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    for _ in range(STEPS):
        for _ in range(3):
            out = net(torch.randn(4))
            rows.add(said=out[:2].sum(), value=out[2], gain=1.0)  # <-
        loss = torch.zeros(())
        for row in reversed(rows.last(6)):
            loss = loss - row["said"] * (row["gain"] - row["value"].detach()) + row["value"] ** 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_the_last_two_of_a_list_that_is_shortened():
    """second-backward | recent | replaced"""
    torch.manual_seed(0)
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    recent = []
    for _ in range(STEPS):
        losses = model(torch.randn(8, 4)).pow(2).mean(0)
        weights = torch.softmax(recent[-1] / recent[-2], 0) if len(recent) > 1 else torch.ones(2)
        optimizer.zero_grad()
        (weights * losses).sum().backward()
        optimizer.step()
        recent.append(losses)  # <-
        recent = recent[-2:]


class Hand:
    def __init__(self, said, width):
        self.said, self.width, self.gain = said, width, 1.0


def by_hands_that_are_drawn_by_chance():
    """second-backward | hands | words"""
    random.seed(1)
    torch.manual_seed(0)
    net, hands = nn.Linear(4, 2), collections.deque(maxlen=60)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    for _ in range(STEPS):
        for _ in range(8):
            out = net(torch.randn(4))
            hand = Hand(out[0], out[1].exp())
            hands.append(hand)  # <-
        drawn = random.sample(hands, 5)
        loss = sum(hand.gain * hand.said + hand.width for hand in drawn)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
