# gradwatch-corpus: kind=graph-unused
# first-bad: 1
import math
import time

import numpy as np
import torch
import torch.nn as nn


def vibration(n, length, rng):
    """Shaft rotation plus, for damaged bearings, periodic impacts."""
    t = np.arange(length) / length
    y = rng.integers(0, 2, n)
    sig = np.sin(2 * math.pi * (8 + rng.random((n, 1))) * t) + 0.3 * rng.standard_normal((n, length))
    comb = (np.arange(length) % 9 == 0).astype(float)
    sig += 0.9 * y[:, None] * comb
    return torch.from_numpy(sig).float().unsqueeze(1), torch.from_numpy(y).float()


class ConvBlock(nn.Module):
    def __init__(self, cin, cout, stride):
        super().__init__()
        self.conv = nn.Conv1d(cin, cout, 5, stride=stride, padding=2)
        self.norm = nn.BatchNorm1d(cout)

    def forward(self, x):
        return torch.relu(self.norm(self.conv(x)))


class BearingNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.ModuleList([ConvBlock(1, 8, 2), ConvBlock(8, 12, 2), ConvBlock(12, 12, 2)])
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(12, 1)

    def forward(self, x):
        for b in self.blocks:
            x = b(x)
        return self.head(self.drop(x.mean(-1))).squeeze(-1)


class Meter:
    def __init__(self, beta=0.9):
        self.beta, self.value = beta, None

    def update(self, x):
        self.value = x if self.value is None else self.beta * self.value + (1 - self.beta) * x


def validate(model, sets, criterion):
    model.eval()
    loss, hit, n = 0.0, 0, 0
    for x, y in sets:
        logit = model(x)  # <- culprit
        loss += criterion(logit, y).item() * len(y)
        hit += ((logit > 0) == (y > 0.5)).sum().item()
        n += len(y)
    model.train()
    return loss / n, hit / n


def main(steps=150, seed=13):
    rng = np.random.default_rng(seed)
    torch.manual_seed(seed)
    valid = [vibration(16, 96, rng) for _ in range(3)]   # three machines, held out
    model, criterion = BearingNet(), nn.BCEWithLogitsLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9, nesterov=True)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps)
    meter, best, t0 = Meter(), 0.0, time.time()
    for step in range(steps):
        x, y = vibration(16, 96, rng)
        loss = criterion(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sched.step()
        meter.update(loss.item())
        vloss, vacc = validate(model, valid, criterion)
        best = max(best, vacc)
        if step % 25 == 0:
            print(f"{time.time() - t0:5.1f}s step {step:3d} train {meter.value:.3f} valid {vloss:.3f} acc {vacc:.2f}")
    print("best", best)


if __name__ == "__main__":
    main()
