# gradwatch-corpus: kind=graph-held
# holder: self.slots | buffer.slots | agent.buffer.slots | self.buffer.slots
# first-bad: 1
"""Small latent world model: fit dynamics, keep imagined starts for planning."""
import random
from collections import deque
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class WMConfig:
    obs: int = 6
    act: int = 2
    latent: int = 16
    horizon: int = 4
    batch: int = 16
    iters: int = 500
    capacity: int = 20000
    lr: float = 1e-3


class Pendulums:
    """A batch of damped oscillators with pushes."""

    def __init__(self, cfg, seed=3):
        self.cfg = cfg
        self.g = torch.Generator().manual_seed(seed)
        self.mix = torch.randn(4, cfg.obs, generator=self.g) / 2

    def sample(self):
        b, h = self.cfg.batch, self.cfg.horizon + 1
        q = torch.randn(b, 2, generator=self.g)
        v = torch.randn(b, 2, generator=self.g)
        acts = torch.randn(b, h, self.cfg.act, generator=self.g)
        frames = []
        for t in range(h):
            v = 0.98 * v - 0.1 * q + 0.1 * acts[:, t]
            q = q + 0.1 * v
            frames.append(torch.cat([q, v], -1) @ self.mix)
        return torch.stack(frames, 1), acts


class LatentBuffer:
    def __init__(self, capacity):
        self.slots = deque(maxlen=capacity)

    def push(self, latent, score):
        self.slots.append((score, latent.mean(0)))  # <- culprit

    def draw(self, k, rng):
        picks = rng.sample(range(len(self.slots)), min(k, len(self.slots)))
        return torch.stack([self.slots[i][1].data for i in picks])


class WorldModel(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(cfg.obs, 32), nn.SiLU(), nn.Linear(32, cfg.latent))
        self.step = nn.GRUCell(cfg.act, cfg.latent)
        self.decode = nn.Sequential(nn.Linear(cfg.latent, 32), nn.SiLU(), nn.Linear(32, cfg.obs))

    def rollout(self, obs, acts):
        z = self.encode(obs[:, 0])
        loss = F.mse_loss(self.decode(z), obs[:, 0])
        for t in range(1, obs.shape[1]):
            z = self.step(acts[:, t], z)
            loss = loss + F.mse_loss(self.decode(z), obs[:, t])
        return loss / obs.shape[1], z


class Agent:
    def __init__(self, cfg):
        self.cfg = cfg
        self.wm = WorldModel(cfg)
        self.opt = torch.optim.Adam(self.wm.parameters(), lr=cfg.lr)
        self.buffer = LatentBuffer(cfg.capacity)
        self.rng = random.Random(0)

    def update(self, obs, acts):
        loss, z_end = self.wm.rollout(obs, acts)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        score = loss.item()
        self.buffer.push(z_end, score)
        return score

    @torch.no_grad()
    def plan(self):
        starts = self.buffer.draw(8, self.rng)
        best = []
        for _ in range(4):
            a = torch.randn(starts.shape[0], self.cfg.act)
            best.append(self.wm.decode(self.wm.step(a, starts)).norm(dim=-1).min().item())
        return min(best)


def main():
    torch.manual_seed(1)
    cfg = WMConfig()
    env, agent = Pendulums(cfg), Agent(cfg)
    for it in range(cfg.iters):
        score = agent.update(*env.sample())
        if it % 50 == 49:
            print(f"iter {it + 1} loss {score:.4f} plan {agent.plan():.3f}", flush=True)


if __name__ == "__main__":
    main()
