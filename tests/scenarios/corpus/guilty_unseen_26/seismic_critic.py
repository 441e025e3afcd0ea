# gradwatch-corpus: kind=inplace-modified
# first-bad: 0
# after: pytorch/pytorch PR 62293 "Do not modify saved variables in-place for spectral norm during power iteration" (two forwards, one backward)
"""Lipschitz critic that tells real seismograms from simulated ones (calibration of a simulator)."""
import math

import torch
import torch.nn.functional as F
from torch import nn


class Spectral(nn.Module):
    """Linear layer with largest singular value 1."""

    def __init__(self, n_in, n_out, power_iterations=1):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_out, n_in) / n_in ** 0.5)
        self.bias = nn.Parameter(torch.zeros(n_out))
        self.n = power_iterations
        self.register_buffer("u", F.normalize(torch.randn(n_out), dim=0))
        self.register_buffer("v", F.normalize(torch.randn(n_in), dim=0))

    @torch.no_grad()
    def _power(self):
        for _ in range(self.n):
            self.v.copy_(F.normalize(self.weight.T @ self.u, dim=0))  # <- culprit
            self.u.copy_(F.normalize(self.weight @ self.v, dim=0))  # <- culprit

    def forward(self, x):
        if self.training:
            self._power()
        sigma = self.u @ self.weight @ self.v
        return F.linear(x, self.weight / sigma, self.bias)


class Critic(nn.Sequential):
    def __init__(self, width=48, samples=128):
        super().__init__(Spectral(samples, width), nn.Softplus(), Spectral(width, width), nn.Softplus(),
                         Spectral(width, 1))


class Simulator(nn.Module):
    """Ricker wavelets at two arrivals; learns frequency, delay and damping."""

    def __init__(self, samples=128):
        super().__init__()
        self.log_f = nn.Parameter(torch.tensor(math.log(4.0)))
        self.delay = nn.Parameter(torch.tensor(0.25))
        self.damp = nn.Parameter(torch.tensor(0.2))
        self.register_buffer("t", torch.linspace(0, 1, samples))

    @staticmethod
    def ricker(t, f):
        a = (math.pi * f * t) ** 2
        return (1 - 2 * a) * torch.exp(-a)

    def forward(self, onset):
        t = self.t - onset[:, None]
        f = self.log_f.exp()
        return self.ricker(t, f) + self.damp * self.ricker(t - self.delay, f)


def field_data(n, gen):
    station = Simulator()
    with torch.no_grad():
        station.log_f.fill_(math.log(6.0))
        station.damp.fill_(-0.4)
        return station(0.5 * torch.rand(n, generator=gen)) + 0.05 * torch.randn(n, 128, generator=gen)


def critic_loss(critic, real, fake):
    return critic(fake).mean() - critic(real).mean()


def main(rounds=80):
    torch.manual_seed(6)
    gen = torch.Generator().manual_seed(7)
    critic, sim = Critic(), Simulator()
    opts = {"critic": torch.optim.RMSprop(critic.parameters(), lr=2e-3),
            "sim": torch.optim.RMSprop(sim.parameters(), lr=2e-3)}
    for k in range(rounds):
        real = field_data(32, gen)
        with torch.no_grad():
            fake = sim(0.5 * torch.rand(32, generator=gen))
        opts["critic"].zero_grad()
        gap = critic_loss(critic, real, fake)
        gap.backward()
        opts["critic"].step()
        opts["sim"].zero_grad()
        score = -critic(sim(0.5 * torch.rand(32, generator=gen))).mean()
        score.backward()
        opts["sim"].step()
        print(k, f"gap {gap.item():.4f} f {sim.log_f.exp().item():.2f}")


if __name__ == "__main__":
    main()
