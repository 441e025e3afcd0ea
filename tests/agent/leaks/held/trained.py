"""Containers that grow, while the loss trains by what each iteration puts there."""

from __future__ import annotations

import torch
from torch import nn

from ..common import STEPS


def fitted():
    torch.manual_seed(0)
    model = nn.Linear(4, 4)
    return model, torch.optim.SGD(model.parameters(), 0.01)


def trained(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


class Unrolling(nn.Module):
    def __init__(self, cell):
        super().__init__()
        self.cell, self.unrolled = cell, []

    def forward(self, x):
        begun = len(self.unrolled)
        for _ in range(3):
            x = torch.tanh(self.cell(x))
            self.unrolled.append(x)  # <- graph-held by what is read from a mark on
        return torch.stack(self.unrolled[begun:], 1)


def by_what_is_read_from_a_mark_on():
    """graph-held | unroll.unrolled | words"""
    model, optimizer = fitted()
    unroll = Unrolling(model)
    for _ in range(STEPS):
        trained(optimizer, unroll(torch.randn(8, 4)).square().mean())


def solver(field):
    visited = []

    def solve(x):
        for _ in range(3):
            x = x + 0.1 * field(x)
            visited.append(x)  # <- graph-held by a function that another makes
        return visited

    return solve


def by_a_function_that_another_makes():
    """graph-held | visited | words"""
    model, optimizer = fitted()
    solved = solver(model)
    for _ in range(STEPS):
        trained(optimizer, torch.stack(list(reversed(solved(torch.ones(2, 4))))[:3]).mean())


class Taps:
    def __init__(self):
        self.tapped = {}

    def tap(self, number, value):
        self.tapped.setdefault(number, {})["value"] = value  # <- graph-held by what a step tapped

    def fetch(self, number):
        return self.tapped[number]


def by_what_each_step_taps():
    """graph-held | taps.tapped | words"""
    model, optimizer = fitted()
    taps = Taps()
    for number in range(STEPS):
        taps.tap(number, torch.tanh(model(torch.randn(8, 4))))
        penalty = sum(each.square().mean() for each in taps.fetch(number).values())
        trained(optimizer, penalty)


class Costs:
    def __init__(self):
        self.costs = []

    def __iadd__(self, cost):
        self.costs.append(cost)  # <- graph-held by costs of which the last few are added up
        return self

    def last(self, count):
        return torch.stack(self.costs[-count:]).sum()


def by_costs_of_which_the_last_few_are_added_up():
    """graph-held | spent.costs | words"""
    model, optimizer = fitted()
    spent = Costs()
    for _ in range(STEPS):
        for _ in range(2):
            spent += model(torch.randn(8, 4)).square().mean()
        trained(optimizer, spent.last(2))


class Columns:
    def __init__(self):
        self.valued, self.earned = [], []

    def add(self, **columns):
        for name, value in columns.items():
            getattr(self, name).append(value)  # <- graph-held by lists that a word names


def by_lists_that_a_word_names():
    """graph-held | columns.valued | words"""
    model, optimizer = fitted()
    columns = Columns()
    for _ in range(STEPS):
        for _ in range(3):
            columns.add(valued=model(torch.randn(8, 4)).mean(1), earned=torch.randn(8))
        apart = torch.stack(columns.valued[-3:]) - torch.stack(columns.earned[-3:])
        trained(optimizer, apart.square().mean())


def by_a_list_that_is_read_from_where_it_ended():
    """graph-held | told_of | words"""
    model, optimizer = fitted()
    told_of, start = [], 0
    for _ in range(STEPS):
        for _ in range(3):
            cost = model(torch.randn(8, 4)).square().mean()
            told_of.append(cost)  # <-
        loss = sum(told_of[start:])
        start = len(told_of)
        trained(optimizer, loss)


def by_states_of_which_a_few_back_are_read():
    """graph-held | contexts | words"""
    model, optimizer = fitted()
    contexts, heads = [], nn.ModuleList(nn.Linear(4, 4) for _ in range(2))
    for _ in range(2 * STEPS):
        now = torch.tanh(model(torch.randn(8, 4)))
        contexts.append(now)  # <-
        loss = now.square().mean()
        for back, head in enumerate(heads):
            if len(contexts) > back:
                loss = loss + (head(contexts[-1 - back]) - now).square().mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()


def by_a_list_that_is_only_looked_at():
    """graph-held | seen_of | replaced"""
    model, optimizer = fitted()
    seen_of, best = [], 1e9
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).square().mean()
        seen_of.append(loss)  # <-
        mean = torch.stack(seen_of[len(seen_of) // 2 :]).mean()
        if mean < best:
            best = mean.item()
        trained(optimizer, loss)


class Criterion(nn.Module):
    def __init__(self):
        super().__init__()
        self.traced = []

    def forward(self, made, x):
        away = (made - x).pow(2).mean()
        self.traced.append(away)  # <- graph-held by a criterion
        return away


def by_a_criterion_whose_losses_are_read_by_one_name():
    """graph-held | criterion.traced | words"""
    model, optimizer = fitted()
    criterion = Criterion()
    for _ in range(STEPS):
        x = torch.randn(8, 4)
        loss = criterion(model(x), x)
        trained(optimizer, loss)
    assert sum(away.item() for away in criterion.traced) > 0


class Statistic:
    def __init__(self):
        self.sighted = []

    def add(self, value):
        self.sighted.append(value)  # <- graph-held by a method called as a tensor's

    def sum(self):
        return sum(self.sighted)

    def mean(self):
        return self.sum() / len(self.sighted)


def by_a_method_called_as_a_tensors():
    """graph-held | statistic.sighted | words"""
    model, optimizer = fitted()
    statistic = Statistic()
    for _ in range(STEPS):
        made = model(torch.randn(8, 4))
        spread = made.pow(2).sum(1).mean()
        trained(optimizer, spread)
        statistic.add(spread)
    assert float(statistic.mean()) > 0


def by_a_curve_whose_last_is_walked():
    """graph-held | curve | words"""
    model, optimizer = fitted()
    curve = []
    for _ in range(STEPS):
        curve.append(model(torch.randn(8, 4)).pow(2).mean())  # <-
        optimizer.zero_grad()
        curve[-1].backward()
        optimizer.step()
    assert min(curve, key=lambda each: each.item()) is not None


class Rounds:
    def __init__(self):
        self.worths, self.odds_of = [], []

    def note(self, worth, odds):
        self.worths.append(worth)
        self.odds_of.append(odds)  # <- graph-held beside one that is shortened
        del self.worths[:-3]


def by_one_that_is_not_shortened_beside_one_that_is():
    """graph-held | rounds.odds_of | words"""
    model, optimizer = fitted()
    rounds = Rounds()
    for _ in range(STEPS):
        for _ in range(3):
            rounds.note(1.0, model(torch.randn(4)).log_softmax(0)[0])
        trained(optimizer, -(torch.stack(rounds.odds_of[-3:]) * torch.tensor(rounds.worths)).mean())


def by_two_of_which_the_newest_are_read():
    """graph-held | nearnesses | words"""
    model, optimizer = fitted()
    nearnesses = {"near": [], "far": []}
    for _ in range(STEPS):
        made = model(torch.randn(8, 4))
        nearnesses["near"].append(made.pow(2).mean())  # <-
        nearnesses["far"].append(made.abs().mean())  # <-
        trained(optimizer, nearnesses["near"][-1] + 0.1 * nearnesses["far"][-1])


def by_an_average_that_goes_on_from_the_last():
    """graph-held | averaged_curve | words"""
    model, optimizer = fitted()
    averaged_curve = []
    for _ in range(STEPS):
        cost = model(torch.randn(8, 4)).pow(2).mean()
        trained(optimizer, cost)
        if averaged_curve:
            cost = 0.1 * cost + 0.9 * averaged_curve[-1]
        averaged_curve.append(cost)  # <-
