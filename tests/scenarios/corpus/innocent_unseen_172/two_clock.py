# gradwatch-corpus: kind=none
"""Two-timescale world model: the encoder is fitted every tick, the slow dynamics head is rolled
forward over three ticks and only then fitted on the joined rollout loss."""
import torch
from torch import nn


class Encoder(nn.Module):
    def __init__(self, n_obs, n_z):
        super().__init__()
        self.up = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, n_z))
        self.down = nn.Linear(n_z, n_obs)

    def forward(self, obs):
        z = self.up(obs)
        return z, self.down(z)


class Dynamics(nn.Module):
    def __init__(self, n_z):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(n_z, 32), nn.SiLU(), nn.Linear(32, n_z))

    def forward(self, z):
        return z + 0.1 * self.net(z)


class SlowClock:
    def __init__(self, dynamics, period, lr):
        self.dynamics, self.period = dynamics, period
        self.opt = torch.optim.Adam(dynamics.parameters(), lr=lr)
        self.latent = None
        self.running = 0.0
        self.ticks = 0

    def observe(self, z):
        if self.latent is None:
            self.latent = z
            return None
        self.latent = self.dynamics(self.latent)
        self.running = self.running + (self.latent - z).pow(2).mean()
        self.ticks += 1
        if self.ticks % self.period:
            return None
        self.opt.zero_grad()
        self.running.backward()
        self.opt.step()
        value = float(self.running)
        self.running = 0.0
        self.latent = z
        return value


class Lorenz:
    def __init__(self, n, gen):
        self.s = torch.randn(n, 3, generator=gen)
        self.mix = torch.randn(3, 10, generator=gen)

    def __iter__(self):
        return self

    def __next__(self):
        x, y, z = self.s.unbind(1)
        ds = torch.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z], 1)
        self.s = self.s + 0.005 * ds
        return (self.s / 20) @ self.mix


def main(ticks=900):
    torch.manual_seed(8)
    stream = Lorenz(16, torch.Generator().manual_seed(2))
    enc = Encoder(10, 4)
    fast = torch.optim.Adam(enc.parameters(), lr=1e-3)
    slow = SlowClock(Dynamics(4), period=3, lr=1e-3)
    last = None
    for t, obs in zip(range(ticks), stream):
        z, recon = enc(obs)
        loss = nn.functional.mse_loss(recon, obs) + 1e-3 * z.pow(2).mean()
        fast.zero_grad()
        loss.backward()
        fast.step()
        last = slow.observe(z.detach()) or last
        if t % 150 == 0:
            print(t, f"recon {loss.item():.4f}", "rollout", last)


if __name__ == "__main__":
    main()
