"""Weights that change between the forward and the backward: by steps and by clamps."""

from __future__ import annotations

import types

import torch
from torch import nn

from ..common import STEPS


def a_step_between():
    """inplace-modified | other | words"""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    optimizer = torch.optim.SGD(model.parameters(), 0.01)
    for _ in range(STEPS):
        one = model(torch.randn(8, 4)).pow(2).mean()
        other = model(torch.randn(8, 4)).mean()
        optimizer.zero_grad()
        one.backward()
        optimizer.step()  # <-
        other.backward()


def a_step_between_a_score_and_its_loss():
    """inplace-modified | turn.score | words"""
    torch.manual_seed(0)
    critic, maker = nn.Linear(4, 1), nn.Linear(4, 4)
    of_critic = torch.optim.SGD(critic.parameters(), 0.01)
    of_maker = torch.optim.SGD(maker.parameters(), 0.01)
    for _ in range(STEPS):
        turn = types.SimpleNamespace(score=critic(torch.tanh(maker(torch.randn(8, 4)))))
        loss = turn.score.mean() - critic(torch.randn(8, 4)).mean()
        of_critic.zero_grad()
        loss.backward(retain_graph=True)
        of_critic.step()  # <-
        fooled = -turn.score.mean()
        of_maker.zero_grad()
        fooled.backward()
        of_maker.step()


def move(optimizer, loss):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def by_the_step_of_another_before_its_own():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    generator, critic = nn.Linear(4, 4), nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 1))
    first = torch.optim.SGD(critic.parameters(), 0.01)
    second = torch.optim.SGD(generator.parameters(), 0.01)
    for _ in range(STEPS):
        fake = generator(torch.randn(8, 4))
        of_critic = critic(fake.detach()).mean()
        of_generator = -critic(fake).mean()
        move(first, of_critic)  # <-
        move(second, of_generator)


def weights_in_a_loop():
    """inplace-modified | p | words"""
    model = nn.Linear(4, 4)
    for _ in range(3):
        loss = model(model(torch.ones(2, 4))).sum()
        with torch.no_grad():
            for p in model.parameters():
                p.clamp_(-0.1, 0.1)  # <- inplace-modified, by a name that goes over parameters
        loss.backward()


def by_a_forward_that_scales_it():
    """inplace-modified | kinds.weight | replaced"""
    kinds = nn.Embedding(6, 3, max_norm=0.1)
    for _ in range(STEPS):
        alike = kinds(torch.arange(4)) @ kinds.weight.t()  # <-
        others = kinds(torch.arange(4, 6))
        (alike.mean() + others.mean()).backward()


def a_step_between_a_score_and_what_is_walked_of_it():
    """inplace-modified | - | words"""
    maker, critic = nn.Linear(4, 2), nn.Sequential(nn.Linear(2, 8), nn.Tanh(), nn.Linear(8, 1))
    of_maker, of_critic = (torch.optim.SGD(m.parameters(), 0.01) for m in (maker, critic))
    for _ in range(STEPS):
        made = maker(torch.randn(8, 4))
        score = critic(made)
        of_critic.zero_grad()
        critic(made.detach()).mean().backward()
        of_critic.step()  # <-
        of_maker.zero_grad()
        (-score.mean()).backward()
        of_maker.step()


def by_a_step_whose_backward_has_no_place_ahead():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    maker, judge = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
    of_maker, of_judge = (torch.optim.SGD(m.parameters(), 0.1) for m in (maker, judge))
    for _ in range(STEPS):
        made = maker(torch.randn(5, 2))
        judged, fooled = judge(made.detach()).mean(), -judge(made).mean()
        of_judge.zero_grad()
        judged.backward()
        of_judge.step()  # <-
        of_maker.zero_grad()
        fooled.backward()
        of_maker.step()


def apply(optimizer, loss, keep):
    optimizer.zero_grad()
    loss.backward(retain_graph=keep)
    optimizer.step()  # <- inplace-modified, by a loop that walks and steps for each loss


def losses_of_one_body_each_with_its_step():
    """inplace-modified | - | words"""
    body = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 8), nn.Tanh())
    heads = nn.Linear(8, 1), nn.Linear(8, 2)
    steps = [torch.optim.SGD([*body.parameters(), *h.parameters()], 0.01) for h in heads]
    for _ in range(STEPS):
        seen = body(torch.randn(8, 4))
        losses = [head(seen).pow(2).mean() for head in heads]
        for optimizer, loss in zip(steps, losses, strict=True):
            apply(optimizer, loss, keep=loss is losses[0])


def a_step_between_a_verdict_and_two_losses_of_it():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    judge, forger = nn.Linear(4, 1), nn.Linear(4, 4)
    of_judge, of_forger = (torch.optim.SGD(m.parameters(), 0.01) for m in (judge, forger))
    for _ in range(STEPS):
        verdict = judge(forger(torch.randn(8, 4)).tanh())
        caught, escaped = verdict.mean(), (1 - verdict).pow(2).mean()
        of_judge.zero_grad()
        caught.backward(retain_graph=True)
        of_judge.step()  # <-
        of_forger.zero_grad()
        escaped.backward()
        of_forger.step()


class Learner:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
        self.optimizer = torch.optim.SGD(self.net.parameters(), 1e-3)
        self.last = None

    def act(self, seen):
        out = self.net(seen)
        choice = torch.distributions.Categorical(logits=out[:2])
        action = choice.sample()
        if self.last is not None:
            self.learn(self.last, out[2].detach())
        self.last = {"logp": choice.log_prob(action), "value": out[2]}  # <- of what it learns next

    def learn(self, before, value):
        error = 1 + 0.9 * value - before["value"]
        loss = -before["logp"] * error.detach() + error.pow(2)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()


def as_an_argument_of_what_the_next_one_learns():
    """inplace-modified | learner.last | words"""
    learner = Learner()
    for _ in range(STEPS):
        learner.act(torch.randn(4))


class Sharpness:
    """Steps up to where the loss is higher, and takes the gradient there."""

    def __init__(self, model, optimizer):
        self.weights, self.optimizer = list(model.parameters()), optimizer
        self.moved = []

    @torch.no_grad()
    def ascend(self):
        self.moved = [0.05 * p.grad for p in self.weights]
        for p, move in zip(self.weights, self.moved, strict=True):
            p.add_(move)
            p.grad = None

    @torch.no_grad()
    def descend(self):
        for p, move in zip(self.weights, self.moved, strict=True):
            p.sub_(move)
        self.optimizer.step()


def by_a_step_up_that_the_forward_does_not_follow():
    """inplace-modified | - | words"""
    torch.manual_seed(0)
    model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
    sharp = Sharpness(model, torch.optim.SGD(model.parameters(), 0.01))
    for _ in range(STEPS):
        out = model(torch.randn(8, 4))
        out.pow(2).mean().backward(retain_graph=True)
        sharp.ascend()  # <-
        out.pow(2).mean().backward()
        sharp.descend()
