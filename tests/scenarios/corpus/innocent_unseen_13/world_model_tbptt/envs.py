import math

import torch


class PendulumFleet:
    """n pendulums with random torques; each is reset after a random number of steps."""

    def __init__(self, n, seed, dt=0.1):
        self.n, self.dt = n, dt
        self.g = torch.Generator().manual_seed(seed)
        self.q, self.v = torch.zeros(n), torch.zeros(n)
        self._reset(torch.ones(n, dtype=torch.bool))

    def _reset(self, which):
        q = (torch.rand(self.n, generator=self.g) * 2 - 1) * math.pi
        self.q = torch.where(which, q, self.q)
        self.v = torch.where(which, torch.zeros(()), self.v)

    def observe(self):
        clean = torch.stack([self.q.cos(), self.q.sin(), self.v / 4], 1)
        return clean + 0.02 * torch.randn(clean.shape, generator=self.g)

    def step(self):
        torque = torch.randn(self.n, generator=self.g).clamp(-2, 2)
        self.v = (self.v + self.dt * (torque - 4 * self.q.sin())) * 0.99
        self.q = self.q + self.dt * self.v
        done = torch.rand(self.n, generator=self.g) < 0.02
        self._reset(done)
        return torque.unsqueeze(1), self.observe(), done
