import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, dim, width):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(dim, width), nn.Tanh(), nn.Linear(width, dim))
        self.weight = 0.0

    def forward(self, x):
        return x + self.weight * self.net(x)


class GrowingSimulator(nn.Module):
    """Predicts the next state; new residual blocks fade in."""

    def __init__(self, dim, width):
        super().__init__()
        self.dim, self.width = dim, width
        self.blocks = nn.ModuleList()
        self.grow().weight = 1.0

    def grow(self):
        block = Block(self.dim, self.width)
        self.blocks.append(block)
        return block

    def fade_in(self, rate=0.1):
        for b in self.blocks:
            b.weight = min(1.0, b.weight + rate)

    def forward(self, state):
        for b in self.blocks:
            state = b(state)
        return state


def spring_chain(batch, steps, masses=3, dt=0.15):
    pos = torch.randn(batch, masses)
    vel = 0.5 * torch.randn(batch, masses)
    frames = [torch.cat([pos, vel], 1)]
    for _ in range(steps):
        left = torch.cat([torch.zeros(batch, 1), pos[:, :-1]], 1)
        right = torch.cat([pos[:, 1:], torch.zeros(batch, 1)], 1)
        vel = vel + dt * (left + right - 2 * pos)
        pos = pos + dt * vel
        frames.append(torch.cat([pos, vel], 1))
    return torch.stack(frames, 1)
