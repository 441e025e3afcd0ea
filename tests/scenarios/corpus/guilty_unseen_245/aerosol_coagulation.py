# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
"""Fitting a size-resolved coagulation emulator for sulphate aerosol."""
import argparse
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class BoxState:
    number: torch.Tensor
    humidity: torch.Tensor
    dt: torch.Tensor


class BoxModel:
    """Discrete Smoluchowski equation on a doubling grid, one explicit step."""

    def __init__(self, n_bins):
        self.n_bins = n_bins
        radius = 2.0 ** (torch.arange(n_bins) / 3.0)
        r_i = radius[:, None]
        r_j = radius[None, :]
        self.kernel = 0.01 * (r_i + r_j) * (1 / r_i + 1 / r_j)

    def draw(self, n):
        centre = 2 + 3 * torch.rand(n, 1)
        bins = torch.arange(self.n_bins)
        number = torch.exp(-0.5 * ((bins - centre) / 1.5).square()) * (0.5 + torch.rand(n, 1))
        return BoxState(number, torch.rand(n, 1), 0.5 + torch.rand(n, 1))

    def step(self, state):
        loss = state.number * (state.number @ self.kernel)
        gain = torch.roll(loss, 1, dims=1) * 0.5
        gain[:, 0] = 0.0
        swelling = 1 + 0.5 * state.humidity
        return (state.number + state.dt * swelling * (gain - loss)).clamp(min=0.0)


class LossRateNet(nn.Module):
    def __init__(self, n_bins, width):
        super().__init__()
        self.hidden = nn.Linear(n_bins + 1, width)
        self.rates = nn.Linear(width, n_bins)
        self.transfer = nn.Linear(n_bins, n_bins)

    def forward(self, state):
        features = torch.cat([state.number, state.humidity], dim=1)
        h = torch.tanh(self.hidden(features))
        survival = torch.sigmoid(self.rates(h) + 3.0)
        survival.pow_(state.dt)  # <- culprit
        lost = state.number * (1 - survival)
        grown = torch.relu(self.transfer(lost))
        return state.number * survival + grown


class EmulatorFit:
    def __init__(self, box, net, lr):
        self.box = box
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)

    def step(self, n):
        state = self.box.draw(n)
        target = self.box.step(state)
        predicted = self.net(state)
        error = (predicted - target).square().sum(dim=1).mean()
        number_bias = (predicted.sum(dim=1) - target.sum(dim=1)).square().mean()
        loss = error + 0.1 * number_bias
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bins", type=int, default=18)
    parser.add_argument("--width", type=int, default=48)
    parser.add_argument("--boxes", type=int, default=256)
    parser.add_argument("--steps", type=int, default=150)
    parser.add_argument("--lr", type=float, default=3e-3)
    args = parser.parse_args()

    torch.manual_seed(18)
    box = BoxModel(args.bins)
    fit = EmulatorFit(box, LossRateNet(args.bins, args.width), args.lr)
    for number in range(args.steps):
        loss = fit.step(args.boxes)
        if number % 25 == 0:
            print(f"{number:4d}  {loss:.5f}")


if __name__ == "__main__":
    main()
