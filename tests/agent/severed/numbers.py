"""Losses that became numbers, lists or arrays, and constants that stand for a loss."""

from __future__ import annotations

import math

import numpy as np
import torch
from torch import nn
from torch.nn.functional import cross_entropy, mse_loss

from .common import data


def the_number_that_is_logged():
    net = nn.Linear(4, 1)
    for _ in range(3):
        x, y = data()
        loss = mse_loss(net(x), y).item()  # <-
        total = loss / 4
        torch.tensor(total).backward()


def a_sum_of_numbers():
    net = nn.Linear(4, 1)
    total = torch.zeros(())
    for _ in range(4):
        x, y = data()
        total = total + mse_loss(net(x), y).item()  # <-
    total.backward()


def every_batch_by_a_comprehension():
    net = nn.Linear(4, 1)
    batches = [data() for _ in range(3)]
    losses = [mse_loss(net(x), y).item() for x, y in batches]  # <-
    loss = torch.tensor(losses).mean()
    loss.backward()


def floats_made_one_tensor():
    net = nn.Linear(4, 1)
    losses = [net(data()[0]).mean() for _ in range(3)]
    loss = torch.tensor([float(loss) for loss in losses]).sum()  # <-
    loss.backward()


def a_sine_and_a_cosine_of_numbers():
    angle, (x, _) = nn.Parameter(torch.tensor(0.3)), data()
    cosine, sine = math.cos(angle), math.sin(angle)  # <-
    loss = (x[:, 0] * cosine - x[:, 1] * sine).mean()
    loss.backward()


def a_list_made_one_tensor():
    net = nn.Linear(4, 1)
    losses = [net(data()[0]).mean() for _ in range(3)]
    loss = torch.tensor(losses).sum()  # <-
    loss.backward()


def optimise(loss, optimizer):
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


def handed_to_a_function_that_steps():
    net = nn.Linear(4, 1)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    x, y = data()
    out = net(x)
    optimise(mse_loss(torch.tensor(out.tolist()), y), optimizer)  # <-


def within_a_closure_of_the_optimizers():
    net = nn.Linear(4, 1)
    optimizer = torch.optim.LBFGS(net.parameters())
    x, y = data()

    def closure():
        optimizer.zero_grad()
        out = net(x)
        loss = torch.tensor(mse_loss(out, y).tolist())  # <-
        loss.backward()
        return loss

    optimizer.step(closure)


def gather(net, x, into):
    for _ in range(3):
        into.append(net(x).mean().item())  # <- what_is_gathered_by_another


def what_is_gathered_by_another():
    net = nn.Linear(4, 1)
    x, _ = data()
    losses = []
    gather(net, x, losses)
    loss = torch.tensor(losses).sum()
    loss.backward()


def guessed(first):
    return {name: torch.as_tensor(float(first.mean())) for name in ("a", "b")}  # <- given_by_stars


def line(x, a, b):
    return a * x + b


def given_by_stars():
    rates = guessed(torch.randn(3))
    optimizer = torch.optim.SGD(list(rates.values()), 0.1)
    x, y = data()
    optimizer.zero_grad()
    loss = mse_loss(line(x[:, :1], **rates), y)
    loss.backward()


class Weighed:
    def __init__(self, shares):
        self.shares = torch.tensor(list(shares.values()))

    def __call__(self, losses):
        values = torch.tensor([each.mean() for each in losses])  # <- numbers_by_fixed_shares
        return (self.shares * values).sum()


SHARES = {"low": 1.0, "high": 0.5}


class Headed(nn.Module):
    def __init__(self):
        super().__init__()
        self.heads = nn.ModuleDict({name: nn.Linear(4, 1) for name in SHARES})

    def forward(self, x):
        return {name: head(x) for name, head in self.heads.items()}


def numbers_by_fixed_shares():
    net, weighed = Headed(), Weighed(SHARES)
    x, y = data()
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    total = weighed([(out - y).pow(2) for out in net(x).values()])
    optimizer.zero_grad()
    total.backward()


AIMS = {}


def aim(function):
    AIMS[function.__name__] = function
    return function


@aim
def nats(scores, truth):
    return cross_entropy(scores, truth)


@aim
def bits(scores, truth):
    return scores.new_tensor(nats(scores, truth).item() / 0.69)  # <- one_of_a_table


def aim_at(step):
    chosen = None
    for start, name in [(0, "nats"), (2, "bits")]:
        if step >= start:
            chosen = AIMS[name]
    return chosen


def one_of_a_table():
    net = nn.Linear(4, 3)
    for step in range(4):
        x, _ = data()
        loss = aim_at(step)(net(x), torch.randint(0, 3, (8,)))
        loss.backward()


def a_difference_of_arrays():
    net = nn.Linear(4, 1)
    x, y = data()
    apart = net(x).detach().numpy() - y.numpy()  # <-
    loss = torch.from_numpy(np.square(apart)).mean()
    loss.backward()


def through_numpy():
    import numpy as np

    net = nn.Linear(4, 1)
    x, y = data()
    out = net(x).detach().numpy()  # <-
    error = np.square(out - y.numpy()).mean()
    loss = torch.tensor(error)
    loss.backward()


def spectrum(x):
    found = np.fft.rfft(x.detach().numpy())  # <- by_way_of_an_array
    return torch.from_numpy(np.abs(found).astype(np.float32)).clamp_min(1e-5)


def by_way_of_an_array():
    net = nn.Linear(4, 4)
    x, _ = data()
    loss = (spectrum(net(x)) - spectrum(x)).pow(2).mean()
    loss.backward()


def picked(logits, truth, mask):
    if not mask.any():
        return torch.zeros(())  # <- a_batch_without_a_loss
    return cross_entropy(logits[mask], truth[mask])


def a_batch_without_a_loss():
    net = nn.Linear(4, 3)
    for number in range(2):
        x, _ = data()
        mask = torch.full((8,), number == 0)
        loss = picked(net(x), torch.randint(0, 3, (8,)), mask)
        loss.backward()


def of_all(net, batches):
    loss = torch.tensor(0.0)  # <- a_start_to_which_nothing_comes
    for x in batches:
        loss = loss + net(x).mean()
    return loss


def a_start_to_which_nothing_comes():
    net = nn.Linear(4, 1)
    total = of_all(net, [])
    loss = total / max(1, len([]))
    loss.backward()


def distances(z):
    z = np.asarray(z.detach())  # <- distances_by_numpy
    return torch.from_numpy((z**2).sum(1))


def distances_by_numpy():
    net = nn.Linear(4, 3)
    x, _ = data()
    loss = distances(net(x)).mean()
    loss.backward()


def turned_by_numbers_and_weighed_by_a_choice():
    angle = nn.Parameter(torch.ones(()))
    optimizer = torch.optim.SGD([angle], 0.1)
    turned = torch.tensor([math.cos(angle), math.sin(angle)])  # <-
    error = (torch.randn(2) - turned).abs()
    loss = torch.where(error < 0.1, error**2, error).mean()
    optimizer.zero_grad()
    loss.backward()


def a_list_taken_for_a_tensor():
    net = nn.Linear(4, 1)
    losses = [net(data()[0]).mean() for _ in range(3)]
    loss = torch.as_tensor(losses).sum()  # <-
    loss.backward()


def a_mean_by_numpy():
    net = nn.Linear(4, 1)
    loss = torch.tensor(np.mean(net(data()[0]).detach().numpy()))  # <-
    loss.backward()


def a_draw_that_has_no_gradient():
    net = nn.Linear(4, 1)
    about = torch.distributions.Normal(net(data()[0]), 1.0)
    drawn = about.sample()  # <-
    drawn.square().mean().backward()


def losses_of(net):
    return [net(data()[0]).mean() for _ in range(3)]


def a_list_that_a_function_hands_back():
    net = nn.Linear(4, 1)
    losses = losses_of(net)
    loss = (torch.tensor(losses) * torch.ones(3)).sum()  # <-
    loss.backward()


def weighed_by_what_is_cut_on_purpose():
    model = nn.ModuleList(nn.Linear(4, 1) for _ in range(3))
    x, y = data()
    losses = [mse_loss(each(x), y) for each in model]
    weights = torch.softmax(torch.tensor(losses).detach(), 0)
    loss = (weights * torch.tensor(losses)).sum()  # <-
    loss.backward()
