"""Graphs that backward is told to retain, and nobody walks again."""

from __future__ import annotations

import functools

import torch
from torch import nn

from .common import STEPS


def by_a_partial_that_retains():
    """retain-needless | - | words"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    walk = functools.partial(torch.Tensor.backward, retain_graph=True)  # <-
    for _ in range(STEPS):
        optimizer.zero_grad()
        walk(model(torch.randn(8, 4)).pow(2).mean())
        optimizer.step()


def by_settings_that_retain():
    """retain-needless | - | words"""
    model, options = nn.Linear(4, 1), {}
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    options["retain_graph"] = True  # <-
    for _ in range(STEPS):
        optimizer.zero_grad()
        model(torch.randn(8, 4)).pow(2).mean().backward(**options)
        optimizer.step()


def by_whoever_asks_a_wrapper_for_it():
    """retain-needless | - | words"""
    model = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def walk(loss, **options):
        loss.backward(**options)

    for _ in range(STEPS):
        optimizer.zero_grad()
        walk(model(torch.randn(8, 4)).pow(2).mean(), retain_graph=True)  # <-
        optimizer.step()


class Stepper:
    def __init__(self, model, keep):
        self.model, self.keep = model, keep
        self.optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def walk(self, loss, retain=False):
        self.optimizer.zero_grad()
        loss.backward(retain_graph=retain)
        self.optimizer.step()

    def step(self, batch):
        self.walk(self.model(batch).pow(2).mean(), self.keep)  # <-


def by_a_setting_handed_on():
    """retain-needless | - | words"""
    stepper = Stepper(nn.Linear(4, 1), keep=True)
    for _ in range(STEPS):
        stepper.step(torch.randn(8, 4))


def by_a_critic_whose_penalty_walks_a_graph_of_its_own():
    """retain-needless | - | words"""
    maker, critic = nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    of_maker, of_critic = (torch.optim.SGD(m.parameters(), 0.01) for m in (maker, critic))
    for number in range(3 * STEPS):
        middle = torch.randn(8, 2, requires_grad=True)
        (slope,) = torch.autograd.grad(critic(middle).sum(), middle, create_graph=True)
        loss = critic(torch.randn(8, 2)).mean() + (slope.norm(2, 1) - 1).pow(2).mean()
        of_critic.zero_grad()
        loss.backward(retain_graph=True)  # <-
        of_critic.step()
        if number % 3 == 2:
            of_maker.zero_grad()
            (-critic(maker(torch.randn(8, 3))).mean()).backward()
            of_maker.step()
