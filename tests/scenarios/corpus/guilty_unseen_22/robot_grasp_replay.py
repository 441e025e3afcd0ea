# gradwatch-corpus: kind=graph-held
# holder: self._cells | arena._cells | self.arena._cells | learner.arena._cells | episode.log_prob | cell.log_prob | Episode.log_prob
# first-bad: 1
# notice: 20
"""Planar grasp pose policy (x, y, theta) with a critic trained from replay. Translated from the cell
controller's C++ learner; the arena is a fixed-size ring, as there."""
import math
from dataclasses import dataclass
from typing import List, Optional

import torch
from torch import nn
from torch.distributions import Normal


@dataclass(frozen=True)
class Episode:
    depth: torch.Tensor
    pose: torch.Tensor
    log_prob: torch.Tensor
    success: torch.Tensor


class ReplayArena:
    """Ring of cells, no allocation after construction."""

    def __init__(self, capacity: int):
        self._cells: List[Optional[Episode]] = [None] * capacity
        self._head = 0
        self._size = 0

    def push(self, episode: Episode) -> int:
        at = self._head
        self._cells[at] = episode  # <- culprit
        self._head = (at + 1) % len(self._cells)
        self._size = min(self._size + 1, len(self._cells))
        return at

    def draw(self, count: int, gen: torch.Generator) -> List[Episode]:
        index = torch.randint(self._size, (count,), generator=gen)
        return [self._cells[i] for i in index.tolist()]


class GraspSim:
    """One box on a table seen as an 8x8 depth patch."""

    def __init__(self, seed: int):
        self.gen = torch.Generator().manual_seed(seed)
        axis = torch.linspace(-1, 1, 8)
        self.gy, self.gx = torch.meshgrid(axis, axis, indexing="ij")

    def scene(self, batch: int):
        pose = torch.rand(batch, 3, generator=self.gen) * 1.4 - 0.7
        c, s = torch.cos(pose[:, 2] * math.pi), torch.sin(pose[:, 2] * math.pi)
        dx, dy = self.gx[None] - pose[:, 0, None, None], self.gy[None] - pose[:, 1, None, None]
        u = c[:, None, None] * dx + s[:, None, None] * dy
        v = -s[:, None, None] * dx + c[:, None, None] * dy
        return torch.exp(-(u / 0.6) ** 2 - (v / 0.25) ** 2).flatten(1), pose

    @staticmethod
    def attempt(pose, truth):
        return torch.exp(-4 * (pose[:, :2] - truth[:, :2]).pow(2).sum(1) - (pose[:, 2] - truth[:, 2]).pow(2))


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 3))
        self.log_std = nn.Parameter(torch.full((3,), -0.7))

    def dist(self, depth):
        return Normal(self.trunk(depth), self.log_std.exp())


class Learner:
    def __init__(self, seed: int = 3):
        torch.manual_seed(seed)
        self.sim = GraspSim(seed)
        self.gen = torch.Generator().manual_seed(seed)
        self.arena = ReplayArena(4096)
        self.actor = Actor()
        self.critic = nn.Sequential(nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, 1))
        self.opt_actor = torch.optim.Adam(self.actor.parameters(), lr=2e-3)
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=4e-3)

    def collect_and_improve(self, batch: int = 48) -> float:
        depth, truth = self.sim.scene(batch)
        dist = self.actor.dist(depth)
        pose = dist.sample()
        log_prob = dist.log_prob(pose).sum(1)
        success = self.sim.attempt(pose, truth)
        with torch.no_grad():
            advantage = success - self.critic(depth).squeeze(1)
        loss = -(log_prob * advantage).mean() - 1e-3 * dist.entropy().mean()
        self.opt_actor.zero_grad()
        loss.backward()
        self.opt_actor.step()
        self.arena.push(Episode(depth, pose, log_prob, success))  # <- culprit
        return success.mean().item()

    def improve_critic(self, count: int = 4) -> float:
        episodes = self.arena.draw(count, self.gen)
        depth = torch.cat([e.depth for e in episodes])
        target = torch.cat([e.success for e in episodes])
        with torch.no_grad():
            now = self.actor.dist(depth).log_prob(torch.cat([e.pose for e in episodes])).sum(1)
            weight = (now - torch.cat([e.log_prob for e in episodes])).exp().clamp(max=2.0)
        loss = (weight * (self.critic(depth).squeeze(1) - target).pow(2)).mean()
        self.opt_critic.zero_grad()
        loss.backward()
        self.opt_critic.step()
        return loss.item()


def main(iterations: int = 300) -> None:
    learner = Learner()
    window = []
    for it in range(iterations):
        window.append(learner.collect_and_improve())
        critic = learner.improve_critic()
        if (it + 1) % 75 == 0:
            print(f"{it + 1:4d}  success {sum(window) / len(window):.3f}  critic {critic:.4f}")
            window.clear()


if __name__ == "__main__":
    main()
