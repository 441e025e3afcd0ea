# gradwatch-corpus: kind=none
"""Orbital elements from sky positions: robust fit with L-BFGS and a soft prior."""
import math

import torch
from torch import nn

torch.set_default_dtype(torch.float64)


class Orbit(nn.Module):
    def __init__(self, guess):
        super().__init__()
        self.raw = nn.Parameter(guess.clone())

    def elements(self):
        a = self.raw[0].exp()
        ecc = 0.9 * torch.sigmoid(self.raw[1])
        omega, phase = self.raw[2], self.raw[3]
        rate = self.raw[4].exp()
        return a, ecc, omega, phase, rate

    def forward(self, t):
        a, ecc, omega, phase, rate = self.elements()
        m = rate * t + phase
        e = m
        for _ in range(6):
            e = e - (e - ecc * e.sin() - m) / (1 - ecc * e.cos())
        x = a * (e.cos() - ecc)
        y = a * (1 - ecc ** 2).sqrt() * e.sin()
        return torch.stack([x * omega.cos() - y * omega.sin(), x * omega.sin() + y * omega.cos()], 1)


class Prior:
    def __init__(self, centre, spread):
        self.centre = centre
        self.precision = 1.0 / spread ** 2

    def __call__(self, raw):
        return 0.5 * (self.precision * (raw - self.centre) ** 2).sum()


def observe(n, gen):
    true = Orbit(torch.tensor([0.2, -0.4, 0.7, 0.3, math.log(1.7)]))
    t = torch.rand(n, generator=gen) * 4
    with torch.no_grad():
        sky = true(t)
    sky += 0.01 * torch.randn(n, 2, generator=gen)
    sky[::29] += 0.4
    return t, sky


def fit(orbit, prior, t, sky, rounds=60):
    opt = torch.optim.LBFGS(orbit.parameters(), lr=0.3, max_iter=4, history_size=8,
                            line_search_fn="strong_wolfe")
    weights = torch.ones(len(t))
    trace = []
    for k in range(rounds):
        with torch.no_grad():
            miss = (orbit(t) - sky).norm(dim=1)
            weights = 1.0 / (1.0 + (miss / 0.05) ** 2)

        def closure():
            opt.zero_grad()
            err = (orbit(t) - sky).pow(2).sum(1)
            penalty = prior(orbit.raw)
            loss = (weights * err).sum() / weights.sum() + 1e-5 * penalty
            loss.backward()
            return loss

        loss = opt.step(closure)
        trace.append(loss.item())
        if k % 12 == 0:
            print(f"round {k:2d}  loss {trace[-1]:.4e}  kept {weights.gt(0.5).double().mean():.2f}")
    return trace


def main():
    gen = torch.Generator().manual_seed(27)
    t, sky = observe(160, gen)
    start = torch.tensor([0.1, -0.2, 0.5, 0.4, math.log(1.6)])
    orbit = Orbit(start)
    fit(orbit, Prior(start, torch.tensor([0.5, 1.0, 1.0, 1.0, 0.3])), t, sky)
    names = ("a", "e", "omega", "phase", "rate")
    print({n: round(v.item(), 4) for n, v in zip(names, orbit.elements())})


if __name__ == "__main__":
    main()
