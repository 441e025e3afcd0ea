"""Weights of which all are frozen, by whichever statement."""

from __future__ import annotations

import copy

import torch
from torch import nn
from torch.nn.functional import mse_loss

from .common import data


def freeze(module):
    for parameter in module.parameters():
        parameter.requires_grad = False


def all_weights_frozen():
    teacher, student = nn.Linear(4, 1), nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 1))
    freeze(teacher)
    freeze(student)  # <-
    optimizer = torch.optim.SGD(student.parameters(), 0.1)
    optimizer.zero_grad()
    x, _ = data()
    loss = mse_loss(student(x), teacher(x))
    loss.backward()


class Two(nn.Module):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(4, 4), nn.Linear(4, 1)

    def forward(self, x):
        return self.head(self.body(x).relu())


def a_loop_that_freezes_what_is_trained():
    old, net = Two(), Two()
    old.requires_grad_(False)
    for p in net.parameters():
        p.requires_grad_(False)  # <-
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    optimizer.zero_grad()
    x, _ = data()
    loss = (net(x) - old(x)).abs().mean()
    loss.backward()


def lock(*modules):
    for module in modules:
        for p in module.parameters():
            p.requires_grad = False


def modules_that_are_locked_at_once():
    apprentice, master = Two(), Two()
    optimizer = torch.optim.SGD(apprentice.parameters(), 0.1)
    lock(master, apprentice)  # <-
    x, _ = data()
    optimizer.zero_grad()
    loss = mse_loss(apprentice(x), master(x))
    loss.backward()


def set_requires_grad(nets, flag):
    for net in nets:
        for parameter in net.parameters():
            parameter.requires_grad = flag


class Adversary:
    def __init__(self):
        self.maker, self.judge = nn.Linear(4, 4), nn.Linear(4, 1)
        self.of_judge = torch.optim.SGD(self.judge.parameters(), 0.1)
        self.of_maker = torch.optim.SGD(self.maker.parameters(), 0.1)

    def step(self, x):
        set_requires_grad([self.judge], False)  # <- a_discriminator_left_frozen
        made = self.maker(torch.randn(8, 4))
        self.of_maker.zero_grad()
        (-self.judge(made).mean()).backward()
        self.of_maker.step()
        self.of_judge.zero_grad()
        verdict = self.judge(x).mean() - self.judge(made.detach()).mean()
        verdict.backward()


def a_discriminator_left_frozen():
    Adversary().step(torch.randn(8, 4))


class Frozen(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk, self.head = nn.Linear(4, 4), nn.Linear(4, 1)
        for name, parameter in self.named_parameters():
            parameter.requires_grad = name.startswith("top")  # <- frozen_by_name

    def forward(self, x):
        return self.head(torch.relu(self.trunk(x)))


def frozen_by_name():
    net = Frozen()
    optimizer = torch.optim.Adam(net.parameters())
    x, y = data()
    optimizer.zero_grad()
    loss = nn.functional.l1_loss(net(x), y)
    loss.backward()


class Stage:
    def __init__(self, words):
        self.words = words

    def apply(self, pupil):
        for name, p in pupil.named_parameters():
            if any(word in name for word in self.words):
                p.requires_grad_(False)  # <- a_stage_that_freezes_more_than_it_should


def a_stage_that_freezes_more_than_it_should():
    pupil = Two()
    optimizer = torch.optim.SGD(pupil.parameters(), 0.1)
    Stage(["body", "d"]).apply(pupil)
    x, y = data()
    optimizer.zero_grad()
    loss = mse_loss(pupil(x), y)
    loss.backward()


class Schedule:
    def begin(self, trainer, upto):
        for block in list(trainer.learner.children())[:upto]:
            block.requires_grad_(False)  # <- a_schedule_that_freezes_block_after_block


class School:
    def __init__(self):
        self.learner = Two()
        self.optimizer = torch.optim.SGD(self.learner.parameters(), 0.1)

    def fit(self, epochs):
        for epoch in range(epochs):
            Schedule().begin(self, epoch)
            x, y = data()
            self.optimizer.zero_grad()
            loss = mse_loss(self.learner(x), y)
            loss.backward()
            self.optimizer.step()


def a_schedule_that_freezes_block_after_block():
    School().fit(5)


class Freezer:
    def __init__(self, net, every):
        self.stages, self.every, self.frozen = [net.body, net.head], every, 0

    def step(self, number):
        while self.frozen < min(number // self.every, len(self.stages)):
            stage = self.stages[self.frozen]
            stage.requires_grad_(False)  # <- a_schedule_that_freezes_one_stage_more_at_a_time
            self.frozen += 1


def a_schedule_that_freezes_one_stage_more_at_a_time():
    net = Two()
    freezer = Freezer(net, 2)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for number in range(5):
        freezer.step(number)
        x, y = data()
        optimizer.zero_grad()
        loss = mse_loss(net(x), y)
        loss.backward()
        optimizer.step()


def weights_frozen_beside_a_target_that_is_detached_rightly():
    critic, target = Two(), Two()
    optimizer = torch.optim.SGD(critic.parameters(), 0.1)
    critic.requires_grad_(False)  # <-
    x, y = data()
    aim = y + 0.9 * target(x).detach()
    optimizer.zero_grad()
    loss = mse_loss(critic(x), aim)
    loss.backward()


def phase(model, names):
    for name, part in model.named_children():
        part.requires_grad_(name in names)  # <- a_phase_that_names_none
    yield from range(3)


def phases(model):
    for names in (("0", "2"), ("head",)):
        yield from phase(model, names)


def a_phase_that_names_none():
    listener = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    optimizer = torch.optim.SGD(listener.parameters(), 0.1)
    for _ in phases(listener):
        x, y = data()
        loss = mse_loss(listener(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def still(part):
    for weight in part.parameters(recurse=False):
        weight.requires_grad = False  # <- what_is_applied_to_all


def what_is_applied_to_all():
    net, other = nn.Sequential(nn.Linear(4, 1)), nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    other.requires_grad_(False)
    net.apply(still)
    x, y = data()
    loss = mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()


def the_net_that_is_not_trained():
    student, teacher = nn.Linear(4, 1), nn.Linear(4, 1)
    teacher.requires_grad_(False)
    optimizer = torch.optim.SGD(student.parameters(), 0.1)
    x, y = data()
    out = teacher(x)  # <-
    loss = mse_loss(out, y)
    optimizer.zero_grad()
    loss.backward()


class Distilled:
    def __init__(self):
        self.trainee = nn.Linear(4, 1)
        self.master = copy.deepcopy(self.trainee)
        for weight in self.master.parameters():
            weight.requires_grad_(False)

    def restart(self):
        self.trainee = copy.deepcopy(self.master)  # <- a_copy_of_what_is_frozen

    def step(self):
        x, y = data()
        loss = mse_loss(self.trainee(x), y)
        loss.backward()


def a_copy_of_what_is_frozen():
    learner = Distilled()
    learner.step()
    learner.restart()
    learner.step()


class Plan:
    """Which parts learn, by step."""

    def __init__(self, model, parts):
        self.grown, self.parts = model, parts
        self.optimizer = torch.optim.SGD(model.parameters(), 0.01)

    def advance(self, step):
        parts = self.parts.get(step)
        if parts is not None:
            for name, weight in self.grown.named_parameters():
                weight.requires_grad_(name.split(".")[0] in parts)  # <- given_to_a_constructor


def given_to_a_constructor():
    """loss"""
    net = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    plan = Plan(net, {0: ("0", "2"), 3: ("lora",)})
    for step in range(9):
        plan.advance(step)
        loss = net(torch.randn(8, 4)).pow(2).mean()
        plan.optimizer.zero_grad()
        loss.backward()
        plan.optimizer.step()


class Gait(nn.Module):
    def __init__(self):
        super().__init__()
        self.below, self.above = nn.Linear(4, 4), nn.Linear(4, 1)

    def classify(self, x):
        return self.above(torch.relu(self.below(x)))


def only(walker, prefixes):
    for name, weight in walker.named_parameters():
        weight.requires_grad_(name.startswith(prefixes))  # <- of_whom_a_method_is_called


def of_whom_a_method_is_called():
    gait = Gait()
    optimizer = torch.optim.SGD(gait.parameters(), 0.1)
    for prefixes in (("below",), ("head",)):
        only(gait, prefixes)
        loss = gait.classify(torch.randn(8, 4)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


WHOLE = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))


def of_the_program_as_a_whole():
    optimizer = torch.optim.SGD(WHOLE.parameters(), 0.1)
    WHOLE.requires_grad_(False)  # <-
    loss = WHOLE(torch.randn(8, 4)).square().mean()
    optimizer.zero_grad()
    loss.backward()
