# gradwatch-corpus: kind=second-backward
# holder: self._kl | net._kl
# first-bad: 31
"""Bayes-by-backprop regression: room temperature from weather and heating."""
import argparse
import math

import torch
import torch.nn.functional as F
from torch import nn


class BayesLinear(nn.Module):
    def __init__(self, fan_in, fan_out, prior_std=0.5):
        super().__init__()
        self.mu = nn.Parameter(torch.randn(fan_out, fan_in) / math.sqrt(fan_in))
        self.rho = nn.Parameter(torch.full((fan_out, fan_in), -4.0))
        self.bias = nn.Parameter(torch.zeros(fan_out))
        self.prior_std = prior_std

    @property
    def std(self):
        return F.softplus(self.rho)

    def forward(self, x):
        mean = F.linear(x, self.mu, self.bias)
        var = F.linear(x.pow(2), self.std.pow(2))
        return mean + (var + 1e-8).sqrt() * torch.randn_like(mean)

    def divergence(self):
        s, p = self.std, self.prior_std
        return (math.log(p) - s.log() + (s.pow(2) + self.mu.pow(2)) / (2 * p * p) - 0.5).sum()


class ThermoNet(nn.Module):
    KL_EVERY = 25

    def __init__(self, n_in, width=32):
        super().__init__()
        self.l1 = BayesLinear(n_in, width)
        self.l2 = BayesLinear(width, width)
        self.l3 = BayesLinear(width, 1)
        self._kl = None
        self._kl_age = 0

    def forward(self, x):
        h = torch.tanh(self.l1(x))
        h = torch.tanh(self.l2(h))
        return self.l3(h).squeeze(-1)

    def kl(self):
        if self._kl is None or self._kl_age >= self.KL_EVERY:
            self._kl = sum(m.divergence() for m in (self.l1, self.l2, self.l3))  # <- culprit
            self._kl_age = 0
        self._kl_age += 1
        return self._kl  # <- culprit


def rooms(n):
    outside = torch.rand(n) * 30 - 8
    heating = torch.rand(n)
    sun = torch.rand(n)
    people = torch.randint(0, 6, (n,)).float()
    temp = 15 + 0.25 * outside + 6 * heating * (1 - sun / 2) + 0.4 * people + 0.3 * torch.randn(n)
    feats = torch.stack([outside / 15, heating, sun, people / 3], 1)
    return feats, (temp - 20) / 5


def parse():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=240)
    ap.add_argument("--warmup", type=int, default=30, help="steps on likelihood only")
    ap.add_argument("--beta", type=float, default=0.2)
    ap.add_argument("--batch", type=int, default=64)
    return ap.parse_args()


def main():
    args = parse()
    torch.manual_seed(77)
    x, y = rooms(1500)
    net = ThermoNet(x.shape[1])
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    for step in range(args.steps):
        pick = torch.randint(0, len(x), (args.batch,))
        nll = F.mse_loss(net(x[pick]), y[pick]) / (2 * 0.1 ** 2)
        loss = nll
        if step >= args.warmup:
            ramp = min(1.0, (step - args.warmup + 1) / 50)
            loss = loss + args.beta * ramp * net.kl() / len(x)  # <- culprit
        opt.zero_grad()
        loss.backward()  # <- culprit
        opt.step()
        if step % 20 == 0:
            print(f"{step:4d} nll {nll.item():8.3f} total {loss.item():8.3f}")


if __name__ == "__main__":
    main()
