# gradwatch-corpus: kind=none
"""Classifies folded pulsar profiles against radio interference, with four micro-batches per update
whose losses are gathered, weighted by how many candidates they carry, and walked back together."""
import math

import torch
import torch.nn.functional as F
from torch import nn

BINS = 64
MICRO = 4


def candidates(gen):
    """Micro-batches of varying size: (profile, label)."""
    phase = torch.linspace(0, 1, BINS)
    while True:
        n = int(torch.randint(4, 12, (1,), generator=gen))
        label = torch.randint(0, 2, (n,), generator=gen)
        centre = torch.rand(n, 1, generator=gen)
        width = 0.02 + 0.03 * torch.rand(n, 1, generator=gen)
        gap = (phase - centre + 0.5) % 1.0 - 0.5
        pulse = torch.exp(-0.5 * (gap / width) ** 2)
        hum = torch.sin(2 * math.pi * (3 * phase + centre))
        profile = torch.where(label.unsqueeze(1) == 1, 2 * pulse, 0.8 * hum)
        profile = profile + 0.6 * torch.randn(n, BINS, generator=gen)
        yield (profile - profile.mean(1, keepdim=True)) / profile.std(1, keepdim=True), label


class ProfileNet(nn.Module):
    def __init__(self, ch=8):
        super().__init__()
        self.c1 = nn.Conv1d(1, ch, 5, padding=2, padding_mode="circular")
        self.c2 = nn.Conv1d(ch, ch, 5, padding=2, padding_mode="circular")
        self.head = nn.Linear(2 * ch, 2)

    def forward(self, x):
        x = F.relu(self.c1(x.unsqueeze(1)))
        x = F.relu(self.c2(F.avg_pool1d(x, 2)))
        return self.head(torch.cat([x.amax(-1), x.mean(-1)], 1))


class RunState:
    """Shared by the callbacks."""

    def __init__(self):
        self.update = 0
        self.loss = None
        self.output = None
        self.running = None
        self.curve = []


class Callback:
    def after_update(self, state):
        pass


class Smooth(Callback):
    def __init__(self, beta=0.97):
        self.beta = beta

    def after_update(self, state):
        new = state.loss.detach()
        if state.running is None:
            state.running = new
        else:
            state.running = self.beta * state.running + (1 - self.beta) * new


class Curve(Callback):
    def after_update(self, state):
        state.curve.append(float(state.running))


class Printer(Callback):
    def __init__(self, every):
        self.every = every

    def after_update(self, state):
        if state.update % self.every == 0:
            spread = state.output.std().item()
            print(f"update {state.update:4d} loss {state.curve[-1]:.4f} logit spread {spread:.2f}")


class Gatherer:
    def __init__(self):
        self.losses = []
        self.counts = []

    def add(self, loss_sum, n):
        self.losses.append(loss_sum)
        self.counts.append(n)

    def full(self):
        return len(self.losses) == MICRO

    def release(self):
        total = sum(self.losses) / sum(self.counts)
        self.losses.clear()
        self.counts.clear()
        return total


def fit(updates=250, seed=6):
    torch.manual_seed(seed)
    stream = candidates(torch.Generator().manual_seed(seed))
    net = ProfileNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    state, gather = RunState(), Gatherer()
    callbacks = [Smooth(), Curve(), Printer(50)]
    while state.update < updates:
        profile, label = next(stream)
        state.output = net(profile)
        gather.add(F.cross_entropy(state.output, label, reduction="sum"), len(label))
        if not gather.full():
            continue
        state.loss = gather.release()
        opt.zero_grad()
        state.loss.backward()
        opt.step()
        state.update += 1
        for cb in callbacks:
            cb.after_update(state)
    return state


if __name__ == "__main__":
    final = fit()
    print(f"finished at {final.curve[-1]:.4f}")
