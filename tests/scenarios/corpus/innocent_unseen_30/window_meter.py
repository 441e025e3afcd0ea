# gradwatch-corpus: kind=none
"""Denoising autoencoder; early stopping looks at a window of the latest losses."""
import collections
import statistics

import torch
from torch import nn, optim


class WindowMeter:
    def __init__(self, size):
        self.values = collections.deque(maxlen=size)

    def push(self, value):
        self.values.append(value)

    @property
    def full(self):
        return len(self.values) == self.values.maxlen

    def median(self):
        return statistics.median(v.item() for v in self.values)


class LastOutputs:
    """Hook target: the outputs of the latest `n` forward passes, by slot."""

    def __init__(self, n):
        self.n = n
        self.slots = {}
        self.calls = 0

    def __call__(self, module, args, output):
        self.slots[self.calls % self.n] = output
        self.calls += 1

    def spread(self):
        return torch.stack([o.std() for o in self.slots.values()]).mean().item()


class Plateau:
    def __init__(self, meter, patience=140, tolerance=1e-4):
        self.meter, self.patience, self.tolerance = meter, patience, tolerance
        self.best, self.wait = float("inf"), 0

    def stop(self):
        if not self.meter.full:
            return False
        now = self.meter.median()
        if now < self.best - self.tolerance:
            self.best, self.wait = now, 0
        else:
            self.wait += 1
        return self.wait > self.patience


def signals(n, length=32):
    t = torch.linspace(0, 1, length)
    f = 1 + 3 * torch.rand(n, 1)
    return torch.sin(6.28 * f * t + 6.28 * torch.rand(n, 1))


def main():
    torch.manual_seed(14)
    net = nn.Sequential(nn.Linear(32, 24), nn.ELU(), nn.Linear(24, 6), nn.ELU(), nn.Linear(6, 24), nn.ELU(),
                        nn.Linear(24, 32))
    latent = LastOutputs(8)
    net[3].register_forward_hook(latent)
    opt = optim.Adam(net.parameters(), lr=2e-3)
    meter = WindowMeter(12)
    plateau = Plateau(meter)
    for step in range(360):
        clean = signals(32)
        loss = nn.functional.mse_loss(net(clean + 0.2 * torch.randn_like(clean)), clean)
        opt.zero_grad()
        loss.backward()
        opt.step()
        meter.push(loss)
        if step % 90 == 89:
            print(f"{step + 1}: median {meter.median():.4f} latent std {latent.spread():.3f}")
        if plateau.stop():
            print("plateau at", step)
            break


if __name__ == "__main__":
    main()
