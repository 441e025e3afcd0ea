"""What has no derivative: choices, counts, roundings, and gradients without a graph."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.functional import mse_loss

from .common import data


def a_hard_choice():
    net = nn.Linear(4, 3)
    x, _ = data()
    guess = net(x).argmax(dim=1)  # <-
    truth = torch.randint(0, 3, (8,))
    loss = (guess - truth).float().pow(2).mean()
    loss.backward()


def the_indices_of_the_best():
    net = nn.Linear(4, 3)
    x, _ = data()
    scores = net(x)
    _, best = scores.max(1)  # <-
    loss = (best.float() - 1.0).abs().mean()
    loss.backward()


def a_count_of_what_is_right():
    net = nn.Linear(4, 3)
    x, _ = data()
    logits = net(x)
    accuracy = (logits > 0).float().mean()  # <-
    loss = 1 - accuracy
    loss.backward()


def straight_through_that_is_not():
    net = nn.Linear(4, 4)
    x, _ = data()
    soft = net(x).sigmoid()
    hard = (soft > 0.5).float()  # <-
    loss = ((hard - x) ** 2).mean()
    loss.backward()


class Task:
    def __init__(self):
        self.net = nn.Linear(4, 1)

    def fit_loss(self, out, y):
        return mse_loss(out, y)

    def count_loss(self, out, y):
        return (torch.tensor([len(row) for row in out if row > 0]).sum() - y.sum()).abs()

    def hard_loss(self, out, y):
        found = [len(torch.nonzero(row > 0)) for row in out]  # <- a_method_by_its_name
        return (torch.tensor(found) - y).abs().mean()

    def loss(self, x, y, stage):
        return getattr(self, f"{stage}_loss")(self.net(x), y)


def a_method_by_its_name():
    task = Task()
    for stage in ("fit", "hard"):
        loss = task.loss(*data(), stage)
        loss.backward()


def what_a_lambda_gives():
    net = nn.Linear(4, 1)
    metric = lambda out, y: (out.round() == y.round()).float().mean()  # noqa: E731  # <-
    x, y = data()
    loss = 1 - metric(net(x), y)
    loss.backward()


class Grade(nn.Module):
    def __init__(self, how):
        super().__init__()
        self.layer = nn.Linear(8, 3)
        self.decode = getattr(self, f"_{how}")

    def _soft(self, scores):
        return scores.softmax(-1) @ torch.arange(3.0)

    def _hard(self, scores):
        best = scores.argmax(dim=-1)  # <- what_the_last_of_a_sequence_decodes
        return torch.arange(3.0)[best]

    def forward(self, x):
        scores = self.layer(x)
        return {"grade": self.decode(scores), "sure": scores.softmax(-1).amax(-1)}


def what_the_last_of_a_sequence_decodes():
    net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), Grade("hard"))
    x, y = data()
    out = net(x)
    loss = mse_loss(out["grade"], y.squeeze())
    loss.backward()


class Ways:
    def __init__(self):
        self.levels = {"noisy": self.single, "steady": self.averaged}

    def single(self, spread):
        return spread.rsample()

    def averaged(self, spread):
        return spread.sample((4,)).mean(0)  # <- what_an_object_gives_for_a_key

    def __getitem__(self, level):
        return self.levels[level]


def rolled(net, act):
    state = torch.randn(8, 4)
    for _ in range(2):
        state = state + act(torch.distributions.Normal(net(state), 1.0))
    return state.pow(2).mean()


def what_an_object_gives_for_a_key():
    net, ways = nn.Linear(4, 4), Ways()
    for level in ("noisy", "steady"):
        cost = rolled(net, ways[level])
        cost.backward()


class Sign(torch.autograd.Function):
    @staticmethod
    def forward(ctx, z):
        code = torch.where(z >= 0, 1.0, -1.0)
        ctx.mark_non_differentiable(code)  # <- what_a_function_says_of_itself
        return code

    @staticmethod
    def backward(ctx, slope):
        return slope


def what_a_function_says_of_itself():
    net = nn.Linear(4, 3)
    x, _ = data()
    loss = Sign.apply(net(x)).mean()
    loss.backward()


def a_gradient_without_a_graph_of_its_own():
    net = nn.Linear(4, 1)
    x, _ = data()
    x.requires_grad_()
    [slope] = torch.autograd.grad(net(x).sum(), [x])  # <-
    loss = (slope.norm(dim=1) - 1).pow(2).mean()
    loss.backward()


def rounded(out, y):
    return (out.detach().round() - y).abs().mean()  # <- the_stage_that_has_begun


def halved(out, y):
    return (out.detach().floor() - y).abs().mean()  # <- the_last_of_the_stages


class Timetable:
    def __init__(self, *stages):
        self.stages = stages

    def now(self, step):
        return [measure for begin, measure in self.stages if step >= begin][-1]

    def last(self):
        return next(measure for _, measure in reversed(self.stages))


def the_stage_that_has_begun():
    net, table = nn.Linear(4, 1), Timetable((0, mse_loss), (2, rounded))
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    for step in range(4):
        x, y = data()
        loss = table.now(step)(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


def the_last_of_the_stages():
    net, table = nn.Linear(4, 1), Timetable((0, mse_loss), (2, halved))
    x, y = data()
    loss = table.last()(net(x), y)
    loss.backward()
