# gradwatch-corpus: kind=second-backward
# holder: self.belief | model.belief | self.model.belief | runner.model.belief
# first-bad: 1
"""Latent dynamics model for a noisy pendulum; bad batches are skipped."""
import logging
import math

import torch
from torch import nn

torch.set_num_threads(1)
logging.basicConfig(level=logging.INFO, format="%(levelname).1s %(message)s")
log = logging.getLogger("dream")


class Pendulums:
    def __init__(self, n, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.theta = (torch.rand(n, generator=self.g) - 0.5) * 2 * math.pi
        self.omega = torch.zeros(n)

    def roll(self, steps):
        obs, act = [], []
        for _ in range(steps):
            u = torch.randn(len(self.theta), generator=self.g)
            self.omega = 0.99 * self.omega + 0.05 * (u - 9.8 * self.theta.sin())
            self.theta = self.theta + 0.05 * self.omega
            act.append(u[:, None])
            obs.append(torch.stack([self.theta.sin(), self.theta.cos(), self.omega], 1))
        return torch.stack(obs), torch.stack(act)


class Dynamics(nn.Module):
    def __init__(self, obs=3, act=1, width=24):
        super().__init__()
        self.core = nn.GRUCell(obs + act, width)
        self.decode = nn.Sequential(nn.Linear(width, width), nn.ELU(), nn.Linear(width, obs))
        self.width = width
        self.belief = None

    def reset(self, n):
        self.belief = torch.zeros(n, self.width)

    def forward(self, obs, act):
        h, outs = self.belief, []
        for o, a in zip(obs, act):
            h = self.core(torch.cat([o, a], 1), h)
            outs.append(o + self.decode(h))
        self.belief = h  # <- culprit
        return torch.stack(outs)


class Runner:
    def __init__(self, envs=16, horizon=8):
        self.env, self.envs, self.horizon = Pendulums(envs, 1), envs, horizon
        self.model = Dynamics()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=3e-3)
        self.skipped = 0

    def update(self):
        obs, act = self.env.roll(self.horizon + 1)
        loss = (self.model(obs[:-1], act[1:]) - obs[1:]).square().mean()
        self.opt.zero_grad()
        loss.backward()  # <- culprit
        self.opt.step()
        return loss.item()

    def run(self, updates):
        self.model.reset(self.envs)
        for i in range(updates):
            try:
                value = self.update()
            except RuntimeError as exc:
                self.skipped += 1
                if self.skipped == 1:
                    log.warning("skipping batch %d: %s", i, str(exc).split(".")[0])
                self.model.reset(self.envs)
                continue
            if i % 30 == 0:
                log.info("update %d mse %.4f", i, value)
        log.info("done, %d of %d batches skipped", self.skipped, updates)


if __name__ == "__main__":
    torch.manual_seed(1)
    Runner().run(120)
