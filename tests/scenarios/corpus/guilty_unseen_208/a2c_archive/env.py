"""Batched point-mass docking task."""
import torch


class Docking:
    def __init__(self, n_envs: int, seed: int = 0):
        self.n = n_envs
        self.gen = torch.Generator().manual_seed(seed)
        self.pos = torch.zeros(n_envs, 2)
        self.vel = torch.zeros(n_envs, 2)
        self.dirs = torch.tensor([[0.0, 0.0], [1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
        self.reset(torch.ones(n_envs, dtype=torch.bool))

    def reset(self, mask):
        k = int(mask.sum())
        if k:
            self.pos[mask] = torch.rand(k, 2, generator=self.gen) * 2 - 1
            self.vel[mask] = 0.0

    def observe(self):
        return torch.cat([self.pos, self.vel], dim=1)

    def step(self, action):
        self.vel = 0.9 * self.vel + 0.1 * self.dirs[action]
        self.pos = self.pos + 0.1 * self.vel
        dist = self.pos.norm(dim=1)
        done = (dist < 0.1) | (dist > 2.0)
        reward = -dist + 5.0 * (dist < 0.1).float()
        self.reset(done)
        return self.observe(), reward, done
