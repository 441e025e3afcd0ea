# gradwatch-corpus: kind=none
"""Bearing-wear regression whose learning rate follows the losses of a window.

Two windows: the last K losses (slots reused by step % K) drive the step size, and the last few
batches' predictions give the bias that is shown on the dashboard.
"""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(404)

K = 20
KEEP = 6


class WindowedRate:
    """Halve the step size when the newer half of the window is no better than the older."""

    def __init__(self, optimizer, k, factor=0.7, floor=1e-4):
        self.optimizer = optimizer
        self.k = k
        self.factor = factor
        self.floor = floor
        self.slots = {}
        self.cooldown = 0

    def record(self, step, loss):
        self.slots[step % self.k] = (step, loss)
        if self.cooldown:
            self.cooldown -= 1
            return False
        if len(self.slots) < self.k:
            return False
        ordered = [l for _, l in sorted(self.slots.values(), key=lambda p: p[0])]
        half = self.k // 2
        older, newer = sum(ordered[:half]) / half, sum(ordered[half:]) / half
        if newer < older * 0.995:
            return False
        for group in self.optimizer.param_groups:
            group["lr"] = max(self.floor, group["lr"] * self.factor)
        self.cooldown = self.k
        return True


def vibration(n):
    wear = torch.rand(n)
    t = torch.linspace(0, 1, 32)
    sig = torch.sin(2 * torch.pi * 3 * t)[None] + wear[:, None] * torch.sin(2 * torch.pi * 11 * t)[None]
    return sig + 0.3 * torch.randn(n, 32), wear


class Gauge(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(1, 6, 7, padding=3)
        self.fc1 = nn.Linear(6 * 8, 16)
        self.fc2 = nn.Linear(16, 1)

    def forward(self, x):
        h = nn.functional.max_pool1d(torch.relu(self.conv(x[:, None])), 4)
        return self.fc2(torch.relu(self.fc1(h.flatten(1)))).squeeze(-1)


gauge = Gauge()
opt = torch.optim.SGD(gauge.parameters(), lr=0.1, momentum=0.8)
rate = WindowedRate(opt, K)
recent = []
drops = 0

for step in range(400):
    x, wear = vibration(16)
    pred = gauge(x)
    loss = nn.functional.mse_loss(pred, wear)
    opt.zero_grad()
    loss.backward()
    opt.step()

    drops += rate.record(step, loss)
    recent.append((pred, wear))
    recent = recent[-KEEP:]

    if step % 50 == 49:
        bias = torch.cat([p - w for p, w in recent]).mean().item()
        print(f"step {step + 1} loss {loss.item():.4f} bias {bias:+.4f} "
              f"lr {opt.param_groups[0]['lr']:.4f} drops {drops}")
