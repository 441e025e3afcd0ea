"""Fields, keys, lists and attributes into which only what was cut is stored."""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import nn
from torch.nn.functional import mse_loss

from .common import data


@dataclass
class Outcome:
    loss: torch.Tensor
    logits: torch.Tensor


class Answering(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Linear(4, 1)

    def forward(self, x, y):
        logits = self.net(x)
        return Outcome(
            loss=mse_loss(logits.data, y),  # <- a_field_of_a_record
            logits=logits,
        )


def a_field_of_a_record():
    model = Answering()
    outcome = model(*data())
    outcome.loss.backward()


def losses_of(net, x, y):
    out = net(x)
    return {"fit": mse_loss(out, y), "seen": mse_loss(out, y).detach()}  # <- one_of_a_dict


def one_of_a_dict():
    parts = losses_of(nn.Linear(4, 1), *data())
    parts["seen"].backward()


def one_that_is_appended():
    net, losses = nn.Linear(4, 1), []
    for _ in range(3):
        x, y = data()
        losses.append(mse_loss(net(x), y).detach())  # <-
    torch.stack(losses).mean().backward()


class Agent:
    def __init__(self):
        self.policy = nn.Linear(4, 2)
        self.kept = []

    def act(self, x):
        choice = torch.distributions.Categorical(logits=self.policy(x))
        action = choice.sample()
        self.kept.append(choice.log_prob(action).detach())  # <- what_an_attribute_has_kept
        return action

    def learn(self):
        rewards = torch.randn(len(self.kept))
        loss = -(torch.stack(self.kept) * rewards).sum()
        loss.backward()


def what_an_attribute_has_kept():
    agent = Agent()
    for _ in range(3):
        agent.act(torch.randn(4))
    agent.learn()


class Memory:
    def __init__(self):
        self.state = torch.zeros(1, 4)

    def read(self):
        return self.state

    def write(self, x):
        self.state = x.detach()  # <- what_another_object_remembers


def what_another_object_remembers():
    net, memory = nn.Linear(4, 4), Memory()
    memory.write(net(torch.randn(1, 4)))
    loss = memory.read().pow(2).sum()
    loss.backward()


@dataclass
class Terms:
    recon: torch.Tensor
    kl: torch.Tensor

    def total(self):
        return self.recon + self.kl


def fields_that_are_added_up():
    net = nn.Linear(4, 1)
    x, _ = data()
    out = net(x)
    terms = Terms(out.pow(2).mean().detach(), out.detach().abs().mean())  # <-
    loss = terms.total()
    loss.backward()
