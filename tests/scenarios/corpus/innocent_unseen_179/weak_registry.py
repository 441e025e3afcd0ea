# gradwatch-corpus: kind=none
"""Contrastive pretraining of accelerometer windows with a registry of live objects."""
import weakref

import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(53)


class Registry:
    """Every loss of the run by its step number, for whoever still holds one."""

    def __init__(self):
        self.by_step = weakref.WeakValueDictionary()
        self.finalizers = 0

    def enter(self, step, loss):
        self.by_step[step] = loss
        weakref.finalize(loss, self._gone)

    def _gone(self):
        self.finalizers += 1

    def alive(self):
        return sorted(self.by_step)


class Inspector:
    def __init__(self, registry):
        self.registry = registry
        self.pinned = None

    def look(self, step):
        pinned = self.registry.by_step.get(step - 3)
        if pinned is not None:
            self.pinned = pinned
        return self.pinned.item() if self.pinned is not None else float("nan")


class Encoder(nn.Module):
    def __init__(self, dim=24):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(3, 12, 5, stride=2), nn.ReLU(), nn.Conv1d(12, dim, 5, stride=2))
        self.head = nn.Linear(dim, dim)

    def forward(self, x):
        return F.normalize(self.head(self.conv(x).mean(-1)), dim=1)


def windows(batch=16, length=40):
    freq = torch.rand(batch, 3, 1) * 6 + 1
    phase = torch.rand(batch, 3, 1) * 6.28
    t = torch.linspace(0, 1, length)
    base = torch.sin(6.28 * freq * t + phase)
    return base + 0.2 * torch.randn_like(base), base.flip(-1) * 0.9 + 0.2 * torch.randn_like(base)


def nt_xent(a, b, temperature=0.2):
    logits = a @ b.T / temperature
    target = torch.arange(a.shape[0])
    return 0.5 * (F.cross_entropy(logits, target) + F.cross_entropy(logits.T, target))


def main():
    encoder = Encoder()
    optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1, momentum=0.9)
    registry = Registry()
    inspector = Inspector(registry)
    recent = ()
    for step in range(500):
        one, two = windows()
        loss = nt_xent(encoder(one), encoder(two))
        registry.enter(step, loss)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        recent = (*recent, loss)[-5:]
        if step % 20 == 0:
            inspector.look(step)
        if step % 100 == 0:
            print(step, f"{loss.item():.4f}", "alive", registry.alive(), "gone", registry.finalizers)


if __name__ == "__main__":
    main()
