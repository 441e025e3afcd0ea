from typing import NamedTuple

import torch
from torch import Tensor, nn
import torch.nn.functional as F


class State(NamedTuple):
    pos: Tensor
    vel: Tensor


class SpringChain(nn.Module):
    def __init__(self, stiffness, damping, n=6, dt=0.05):
        super().__init__()
        self.log_k = nn.Parameter(torch.tensor(stiffness).log())
        self.log_c = nn.Parameter(torch.tensor(damping).log())
        self.n, self.dt = n, dt
        self.state = State(torch.zeros(n), torch.zeros(n))

    @property
    def stiffness(self):
        return self.log_k.exp()

    @property
    def damping(self):
        return self.log_c.exp()

    def forces(self, state, u):
        padded = F.pad(state.pos, (1, 1))
        spring = self.stiffness * (padded[2:] - 2 * state.pos + padded[:-2])
        push = F.pad(u.view(1), (0, self.n - 1))
        return spring - self.damping * state.vel + push

    def step(self, u):
        pos, vel = self.state
        vel = vel + self.dt * self.forces(self.state, u)
        self.state = State(pos + self.dt * vel, vel)  # <- culprit
        return self.state.pos

    def describe(self):
        return f"k={self.stiffness.item():.3f} c={self.damping.item():.3f}"
