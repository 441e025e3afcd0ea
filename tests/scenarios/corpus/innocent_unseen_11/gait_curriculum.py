# gradwatch-corpus: kind=none
"""Stride phase from ankle gyroscopes: LSTM over consecutive windows of a walk, windows grow from 8 to 40 samples.

The state goes on from window to window as long as the same person walks.
"""
import math

import torch
from torch import nn

WALKERS = 12


class Walk:
    """A group of people walking; every `restart` windows a new group comes."""

    def __init__(self, seed, restart=15):
        self.gen = torch.Generator().manual_seed(seed)
        self.restart = restart
        self.windows = 0

    def _new_group(self):
        self.cadence = 0.15 + 0.1 * torch.rand(WALKERS, 1, generator=self.gen)
        self.phase = 2 * math.pi * torch.rand(WALKERS, 1, generator=self.gen)
        self.style = 0.5 + torch.rand(WALKERS, 3, generator=self.gen)

    def window(self, length):
        fresh = self.windows % self.restart == 0
        if fresh:
            self._new_group()
        self.windows += 1
        t = torch.arange(length)
        phase = self.phase + self.cadence * t
        self.phase = self.phase + self.cadence * length
        parts = [torch.sin(k * phase) * self.style[:, k - 1:k] for k in (1, 2, 3)]
        gyro = torch.stack(parts, dim=-1) + 0.1 * torch.randn(WALKERS, length, 3, generator=self.gen)
        return fresh, gyro, torch.stack([phase.sin(), phase.cos()], dim=-1)


class PhaseNet(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.lstm = nn.LSTM(3, width, batch_first=True)
        self.out = nn.Linear(width, 2)
        self._carry = None

    @property
    def carry(self):
        return self._carry

    @carry.setter
    def carry(self, state):
        self._carry = None if state is None else tuple(part.detach() for part in state)

    def forward(self, gyro):
        states, self.carry = self.lstm(gyro, self.carry)
        return self.out(states)


def curriculum(step, start=8, top=40, every=12):
    return min(top, start + 2 * (step // every))


def phase_loss(pred, truth):
    circle = 1 - nn.functional.cosine_similarity(pred, truth, dim=-1)
    ramp = torch.linspace(0.5, 1.0, circle.shape[1])
    total = 0.0
    for sample, weight in zip(circle.unbind(1), ramp):
        total = total + weight * sample.mean()
    return total / ramp.sum() + 0.01 * (pred.norm(dim=-1) - 1).pow(2).mean()


def main(steps=260):
    torch.manual_seed(18)
    net, walk = PhaseNet(), Walk(seed=18)
    optimizer = torch.optim.Adam(net.parameters(), lr=4e-3)
    running = None
    for step in range(steps):
        fresh, gyro, truth = walk.window(curriculum(step))
        if fresh:
            net.carry = None
        loss = phase_loss(net(gyro), truth)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        value = loss.item()
        running = value if running is None else 0.9 * running + 0.1 * value
        if step % 52 == 51:
            print(f"step {step + 1}: window {gyro.shape[1]}, loss {running:.4f}")


if __name__ == "__main__":
    main()
