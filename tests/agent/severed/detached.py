"""A detach, or one by another name, where the loss or what it is made of is computed."""

from __future__ import annotations

import torch
from torch import nn
from torch.nn.functional import mse_loss

from .common import data


def a_detach():
    net = nn.Linear(4, 1)
    x, y = data()
    out = net(x).detach()  # <-
    loss = mse_loss(out, y)
    loss.backward()


def detached_in_place():
    net = nn.Linear(4, 1)
    x, y = data()
    out = net(x)
    out.detach_()  # <-
    loss = mse_loss(out, y)
    loss.backward()


def one_of_two_by_autograd():
    net = nn.Linear(4, 1)
    x, y = data()
    seen = net(x)
    frozen = seen.detach()  # <-
    torch.autograd.backward([mse_loss(frozen, y)])


def weighed(losses, weights):
    return sum(weights[name] * loss for name, loss in losses.items())


def parts_that_are_numbers():
    net = nn.Linear(4, 2)
    x, y = data()
    out = net(x)
    losses = {
        "first": mse_loss(out[:, :1], y).detach(),  # <-
        "second": mse_loss(out[:, 1:], y).detach(),  # <-
    }
    loss = weighed(losses, {"first": 1.0, "second": 0.5})
    loss.backward()


def by_the_optimizers_side(loss, scale=1.0):
    (loss * scale).backward()


def a_loss_that_is_scaled_elsewhere():
    net = nn.Linear(4, 1)
    x, y = data()
    values = [mse_loss(net(x), y).detach() for _ in range(2)]  # <-
    by_the_optimizers_side(max(values), scale=0.5)


def the_student_and_not_the_targets():
    student, teacher = nn.Linear(4, 1), nn.Linear(4, 1)
    optimizer = torch.optim.SGD(student.parameters(), 0.1)
    x, _ = data()
    with torch.no_grad():
        soft = teacher(x)
    out = student(x).detach()  # <-
    optimizer.zero_grad()
    loss = mse_loss(out, soft)
    loss.backward()


def the_choice_and_not_its_target():
    net, target = nn.Linear(4, 2), nn.Linear(4, 2)
    optimizer = torch.optim.SGD([*net.parameters(), *target.parameters()], 0.1)
    x, reward = data()
    with torch.no_grad():
        goal = reward + target(x).amax(1, keepdim=True)
    q = net(x)
    loss = mse_loss(q.detach().amax(1, keepdim=True), goal)  # <-
    optimizer.zero_grad()
    loss.backward()


def chances(scores, action):
    spread = torch.distributions.Categorical(logits=scores)
    return spread.log_prob(action)


def what_is_told_by_a_distribution():
    net = nn.Linear(4, 3)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    x, _ = data()
    scores = net(x).detach()  # <-
    loss = -(chances(scores, torch.randint(0, 3, (8,))) * torch.randn(8)).mean()
    optimizer.zero_grad()
    loss.backward()


def a_state_of_the_round_before():
    net, state = nn.Linear(4, 4), torch.zeros(8, 4)
    for number in range(3):
        x, _ = data()
        if number:
            state.pow(2).mean().backward()
        state = net(x + state).detach()  # <-


def in_one_branch_of_two():
    net, logs = nn.Linear(4, 1), False
    x, y = data()
    loss = mse_loss(net(x), y).data  # <-
    if logs:
        loss = loss.item()
    else:
        loss.backward()


def a_sum_that_an_inner_function_adds_to():
    net, total = nn.Linear(4, 1), torch.zeros(())

    def add(x, y):
        nonlocal total
        total = total + mse_loss(net(x), y).detach()  # <-

    for _ in range(2):
        add(*data())
    total.backward()


def what_stands_for_itself_later():
    net, ema = nn.Linear(4, 1), nn.Linear(4, 1)
    for number in range(12):
        x, y = data()
        out = net(x) if number < 10 else net(x).data  # <-
        loss = mse_loss(out, y) + 0 * ema(x).detach().mean()
        loss.backward()


def a_backward_in_a_block_that_the_loss_was_made_ahead_of():
    net = nn.Linear(4, 1)
    x, y = data()
    loss = mse_loss(net(x), y).detach()  # <-
    with torch.no_grad():
        loss.backward()


class Child(nn.Module):
    def __init__(self, parent):
        super().__init__()
        self.parent, self.layer = parent, nn.Linear(4, 1)

    def forward(self, x):
        return self.layer(x)


def a_module_that_lies_in_itself():
    family = nn.Module()
    family.child = Child(family)
    loss = family.child(data()[0]).mean().detach()  # <-
    loss.backward()
