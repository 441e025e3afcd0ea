"""Averages, references and balances that later losses are measured by."""

from __future__ import annotations

import collections
import types
from dataclasses import dataclass

import torch
from torch import nn

from ..common import STEPS, actor


def by_what_is_moved_after_the_step():
    """second-backward | centre | words"""
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    centre = [torch.zeros(3)]

    def one(number):
        found = model(torch.randn(8, 4))
        loss = (found.tanh() - centre[0]).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if number % 10 == 9:
            centre[0] = torch.lerp(centre[0], found.tanh().mean(0), 0.3)  # <- second-backward

    for number in range(STEPS):
        one(number)


def by_a_reference_beside_gradients_of_gradients():
    """second-backward | reference | words"""
    model = nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    reference = {}
    for number in range(STEPS):
        x = torch.randn(8, 2, requires_grad=True)
        (slope,) = torch.autograd.grad(model(x).sum(), x, create_graph=True)
        terms = {"slope": slope.pow(2).mean(), "value": model(x).pow(2).mean()}
        if number == STEPS // 2:
            for name, term in terms.items():
                reference[name] = term + 1e-6  # <- second-backward
        loss = sum(term / reference.get(name, 1.0) for name, term in terms.items())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


@dataclass
class Opinion:
    author: str
    leaning: torch.Tensor


class Blackboard:
    def __init__(self):
        self.notes = {}

    def pin(self, opinion):
        self.notes[opinion.author] = opinion


def by_what_is_put_away_under_a_key_of_its_own():
    """second-backward | board.notes['0'].leaning | words"""
    torch.manual_seed(0)
    model, board = nn.Sequential(nn.Linear(4, 3), nn.Tanh()), Blackboard()
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for number in range(STEPS):
        score = model(torch.randn(8, 4)).tanh()
        loss = score.mean()
        for other in [note for name, note in board.notes.items() if name != str(number % 2)]:
            loss = loss + (score - other.leaning).pow(2).mean()
        board.pin(Opinion(str(number % 2), leaning=score))  # <-
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


class Balance:
    """Of two losses, each walked by a backward of its own."""

    def __init__(self):
        self.share = torch.zeros(())

    def settle(self, real, fake):
        lead = 0.5 * real - fake
        self.share = (self.share + 0.1 * lead).clamp(0, 1)  # <-


def by_a_balance_of_two_losses_after_both_steps():
    """second-backward | balance.share | words"""
    torch.manual_seed(0)
    critic, maker, balance = nn.Linear(4, 1), nn.Linear(2, 4), Balance()
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)
    of_maker = torch.optim.SGD(maker.parameters(), 0.01)

    def iteration():
        real = critic(torch.randn(8, 4)).abs().mean()
        fake = critic(maker(torch.randn(8, 2)).detach()).abs().mean()
        of_critic.zero_grad()
        (real - balance.share * fake).backward()
        of_critic.step()
        of_maker.zero_grad()
        made = critic(maker(torch.randn(8, 2))).abs().mean()
        made.backward()
        of_maker.step()
        balance.settle(real, made)

    for _ in range(4):
        iteration()


def by_an_average_of_which_a_corrected_one_is_read():
    """second-backward | codes.summed | replaced"""
    torch.manual_seed(0)
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), 0.01)
    codes = types.SimpleNamespace(summed=torch.zeros(3), centre=torch.zeros(3))
    for round_ in range(1, STEPS):
        out = net(torch.randn(8, 4)).exp()
        losses = {"near": (out - codes.centre).pow(2).mean(), "small": out.pow(2).mean()}
        codes.summed = 0.9 * codes.summed + 0.1 * out.mean(0)  # <-
        codes.centre = codes.summed / (1 - 0.9**round_)
        optimizer.zero_grad()
        sum(losses.values()).backward()
        optimizer.step()


def by_a_sum_on_which_backward_is_called():
    """second-backward | total | words"""
    model, optimizer = actor()
    total = 0.0
    for _ in range(STEPS):
        loss = model(torch.randn(4, 3)).pow(2).mean()
        total += loss  # <-
        optimizer.zero_grad()
        total.backward()
        optimizer.step()


class Quarterly:
    def __init__(self, optimizer):
        self.optimizer, self.quarter, self.unwalked = optimizer, collections.deque(maxlen=4), 0

    def takes(self, loss):
        self.quarter.append(loss)  # <-
        self.unwalked += 1
        if self.unwalked == 4:
            self.walks()

    def walks(self):
        self.optimizer.zero_grad()
        (sum(self.quarter) / len(self.quarter)).backward()
        self.optimizer.step()
        self.unwalked = 0


def by_a_window_that_is_walked_again_at_the_end():
    """second-backward | quarterly.quarter | words"""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 1))
    quarterly = Quarterly(torch.optim.SGD(net.parameters(), 0.01))
    for _ in range(14):
        quarterly.takes(net(torch.randn(8, 4)).pow(2).mean())
    quarterly.walks()


class ClassCentre:
    def __init__(self, number):
        self.number, self.centroid = number, torch.zeros(3)

    def absorb(self, found, labels):
        mean = found[labels == self.number].mean(0)
        self.centroid = 0.8 * self.centroid + 0.2 * mean  # <- second-backward


class Centres:
    def __init__(self, count):
        self.of_class = [ClassCentre(number) for number in range(count)]

    def absorb(self, found, labels):
        for centre in self.of_class:
            centre.absorb(found, labels)

    def apart(self):
        return torch.cdist(*(2 * [torch.stack([each.centroid for each in self.of_class])])).mean()


def by_one_of_each_class():
    """second-backward | centres.of_class[2].centroid | words"""
    model, centres = nn.Linear(4, 3), Centres(3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    labels = torch.arange(12) % 3
    for _ in range(STEPS):
        centres.absorb(model(torch.randn(12, 4)).tanh(), labels)
        loss = -centres.apart()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def trained_towards(average, move):
    """A model whose outputs are measured by an average that is moved along."""
    model = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        found = model(torch.randn(8, 4))
        moved = torch.lerp(average(), found.mean(), 0.1)
        loss = found.pow(2).mean() + (found.mean() - moved).pow(2)
        move(moved)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def by_a_dict_of_attributes_that_is_updated():
    """second-backward | updated.average | replaced"""

    class Updated:
        average = torch.zeros(())

        def move(self, moved):
            self.__dict__.update(average=moved, count=1)  # <- second-backward

    updated = Updated()
    trained_towards(lambda: updated.average, updated.move)


def by_vars_that_are_updated():
    """second-backward | at_once.average | replaced"""

    class AtOnce:
        average = torch.zeros(())

        def move(self, moved):
            vars(self).update({"average": moved, "count": 1})  # <- second-backward

    at_once = AtOnce()
    trained_towards(lambda: at_once.average, at_once.move)


AVERAGE = torch.zeros(())


def by_the_dict_of_globals():
    """second-backward | AVERAGE | words"""

    def move(moved):
        globals()["AVERAGE"] = moved  # <- second-backward

    trained_towards(lambda: AVERAGE, move)


class Moving:
    def __init__(self):
        self.read = lambda: torch.zeros(())

    def move(self, moved):
        self.read = lambda moved=moved: moved  # <- second-backward


def by_the_default_of_a_function_that_is_made_anew():
    """second-backward | moving.read | words"""
    moving = Moving()
    trained_towards(lambda: moving.read(), moving.move)
