"""Slow weights that are drawn after the trained ones with their graphs."""

from __future__ import annotations

import torch
from torch import nn

from ..common import STEPS, sgd_of


def by_slow_weights_of_a_function_around():
    """graph-chain | slow | before"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    slow = {name: p.detach().clone() for name, p in model.named_parameters()}

    def drag():
        for name, p in model.named_parameters():
            slow[name] = slow[name].lerp(p, 0.1)  # <-

    for _ in range(STEPS):
        drag()
        gap = torch.stack([(p - slow[n]).pow(2).sum() for n, p in model.named_parameters()])
        loss = model(torch.randn(8, 4)).pow(2).mean() + gap.sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_slow_weights_in_a_dict_with_an_update_of_its_own():
    """graph-chain | anchors | before"""

    class Anchors(dict):
        def update(self, name, value):
            self[name] = self[name].lerp(value, 0.1)  # <-

    model = nn.Linear(4, 1)
    optimizer = sgd_of(model)
    anchors = Anchors((name, p.detach().clone()) for name, p in model.named_parameters())

    def pull():
        return torch.stack([(p - anchors[n]).pow(2).sum() for n, p in model.named_parameters()])

    for _ in range(STEPS):
        for name, p in model.named_parameters():
            anchors.update(name, p)
        loss = model(torch.randn(8, 4)).pow(2).mean() + pull().sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_slow_weights_under_a_key_that_has_no_name():
    """graph-chain | optimizer.state[...]['slow'] | replaced"""

    class Anchored(torch.optim.SGD):
        def follow(self):
            for group in self.param_groups:
                for p in group["params"]:
                    state = self.state[p]
                    state.setdefault("slow", p.detach().clone())
                    state["slow"] = torch.lerp(state["slow"], p, 0.1)  # <-

        def pull(self):
            return sum((p - each["slow"]).pow(2).sum() for p, each in self.state.items())

    model = nn.Linear(4, 1)
    optimizer = Anchored(model.parameters(), 0.01)
    for _ in range(STEPS):
        loss = model(torch.randn(8, 4)).pow(2).mean() + optimizer.pull()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        optimizer.follow()


def pulled_to_an_anchor(weight):
    anchor = weight.detach().clone()

    def pull():
        nonlocal anchor
        anchor = torch.lerp(anchor, weight, 0.1)  # <-
        return (weight - anchor).pow(2).sum()

    return pull


def by_a_closure_that_begins_detached():
    """graph-chain | anchor | words"""
    torch.manual_seed(0)
    weight = torch.ones(4, requires_grad=True)
    pull = pulled_to_an_anchor(weight)
    optimizer = torch.optim.SGD([weight], 0.01)
    for _ in range(STEPS):
        optimizer.zero_grad()
        ((torch.randn(8, 4) @ weight).mean() + pull()).backward()
        optimizer.step()


class LateTeacher:
    def __init__(self):
        self.slow = None

    def follow(self, weights):
        if self.slow is None:
            self.slow = {name: weight.detach().clone() for name, weight in weights.items()}
            return
        self.slow = {  # <- graph-chain
            name: torch.lerp(self.slow[name], weight, 0.1) for name, weight in weights.items()
        }


def by_a_teacher_that_comes_late():
    """graph-chain | teacher.slow | words"""
    model, teacher = nn.Linear(4, 3), LateTeacher()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for number in range(2 * STEPS):
        x = torch.randn(8, 4)
        loss = model(x).pow(2).mean()
        if teacher.slow is not None:
            aim = nn.functional.linear(x, teacher.slow["weight"], teacher.slow["bias"])
            loss = loss + (model(x) - aim).pow(2).mean()
        optimizer.zero_grad()
        loss.backward(retain_graph=True)
        optimizer.step()
        if number >= STEPS:
            teacher.follow(dict(model.named_parameters()))


def by_copies_of_where_it_began():
    """graph-chain | start | words"""
    model = nn.Linear(4, 2)
    optimizer = torch.optim.SGD(model.parameters(), 0.1)
    start = {name: p.clone() for name, p in model.named_parameters()}  # <-
    for _ in range(STEPS):
        far = sum((p - start[name]).pow(2).sum() for name, p in model.named_parameters())
        optimizer.zero_grad()
        (model(torch.randn(8, 4)).pow(2).mean() + 0.1 * far).backward()
        optimizer.step()
