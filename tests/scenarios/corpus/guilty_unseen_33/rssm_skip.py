# gradwatch-corpus: kind=second-backward
# holder: self.latent | self.latent.h | self.latent.z | self.world.latent | self.world.latent.h | self.world.latent.z | learner.world.latent | learner.world.latent.h | learner.world.latent.z
# first-bad: 1
"""Recurrent world model on streamed pendulum pixels-as-features, chunk by chunk."""
import math
from dataclasses import dataclass, replace

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Latent:
    h: torch.Tensor
    z: torch.Tensor
    age: int = 0


class WorldModel(nn.Module):
    def __init__(self, obs=6, act=1, deter=24, stoch=6):
        super().__init__()
        self.sizes = deter, stoch
        self.cell = nn.GRUCell(stoch + act, deter)
        self.post = nn.Linear(deter + obs, 2 * stoch)
        self.decode = nn.Sequential(nn.Linear(deter + stoch, 32), nn.ELU(), nn.Linear(32, obs))
        self.latent = None

    def begin(self, batch):
        d, s = self.sizes
        self.latent = Latent(torch.zeros(batch, d), torch.zeros(batch, s))

    def advance(self, obs, act):
        h = self.cell(torch.cat([self.latent.z, act], -1), self.latent.h)
        mean, logstd = self.post(torch.cat([h, obs], -1)).chunk(2, -1)
        z = mean + logstd.clamp(-4, 1).exp() * torch.randn_like(mean)
        self.latent = replace(self.latent, h=h, z=z, age=self.latent.age + 1)  # <- culprit
        return self.decode(torch.cat([h, z], -1)), (mean.pow(2) + logstd.exp().pow(2) - 2 * logstd).mean()

    def chunk_loss(self, obs, act):
        total = 0.0
        for o, a in zip(obs, act):
            recon, kl = self.advance(o, a)
            total = total + F.mse_loss(recon, o) + 0.01 * kl
        return total / len(obs)


def pendulum_chunks(n, batch=10, length=5):
    theta = 2 * math.pi * torch.rand(batch)
    omega = torch.randn(batch)
    mix = torch.randn(3, 6)
    for _ in range(n):
        obs, act = [], []
        for _ in range(length):
            u = torch.randn(batch, 1)
            omega = 0.98 * omega + 0.1 * (torch.sin(theta) + u.squeeze(-1))
            theta = theta + 0.1 * omega
            obs.append(torch.stack([theta.sin(), theta.cos(), omega], -1) @ mix)
            act.append(u)
        yield torch.stack(obs), torch.stack(act)


class Learner:
    def __init__(self, batch=10):
        self.world = WorldModel()
        self.opt = torch.optim.Adam(self.world.parameters(), lr=2e-3)
        self.batch = batch
        self.skipped = 0

    def update(self, obs, act):
        if self.world.latent is None:
            self.world.begin(self.batch)
        loss = self.world.chunk_loss(obs, act)
        self.opt.zero_grad()
        try:
            loss.backward()
        except RuntimeError:  # bad chunk: drop it and start from a fresh latent
            self.skipped += 1
            self.world.latent = None
            return None
        self.opt.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    learner = Learner()
    for i, (obs, act) in enumerate(pendulum_chunks(120)):
        value = learner.update(obs, act)
        if i % 20 == 0 and value is not None:
            print(f"chunk {i:3d} loss {value:.4f} age {learner.world.latent.age} skipped {learner.skipped}")
