# gradwatch-corpus: kind=none
"""Pressure at sea level from station records. Training is a generator of outcomes, and two readers
take from it in step: one prints, the other keeps a running mean."""

import itertools

import torch
from torch import nn


def records(seed):
    g = torch.Generator().manual_seed(seed)
    while True:
        station = torch.randn(24, 10, generator=g)
        yield station, station[:, :3].mean(1, keepdim=True) + 0.1 * torch.randn(24, 1, generator=g)


def training(net, batches):
    sgd = torch.optim.SGD(net.parameters(), lr=0.05)
    for number, (station, pressure) in enumerate(batches):
        guess = net(station)
        loss = (guess - pressure).square().mean()
        sgd.zero_grad()
        loss.backward()
        sgd.step()
        yield number, loss, guess


def main(batches=500):
    torch.manual_seed(5)
    net = nn.Sequential(nn.Linear(10, 24), nn.Tanh(), nn.Linear(24, 1))
    outcomes = training(net, itertools.islice(records(5), batches))
    to_print, to_average = itertools.tee(outcomes)
    mean = 0.0
    for (number, loss, _), (_, _, guess) in zip(to_print, to_average):
        mean += 0.02 * (guess.mean().item() - mean)
        if number % 100 == 0:
            print(f"{number:4d} loss {loss.item():.4f} mean {mean:+.3f}")


main()
