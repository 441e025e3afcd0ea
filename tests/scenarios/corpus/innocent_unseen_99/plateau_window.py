# gradwatch-corpus: kind=none
# Electricity load forecasting, quantile loss.  A plateau detector looks at the last 30 losses, which are kept
# as they are; the learning rate is cut when the window's trend is flat.
import collections
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(4)

QUANTILES = torch.tensor([0.1, 0.5, 0.9])


def load_curve(n):
    t = torch.arange(n).float()
    day = torch.sin(2 * math.pi * t / 24) + 0.3 * torch.sin(4 * math.pi * t / 24)
    week = 0.5 * ((t // 24) % 7 >= 5).float()
    return day - week + 0.2 * torch.randn(n)


def pinball(pred, y):
    err = y.unsqueeze(-1) - pred
    return torch.maximum(QUANTILES * err, (QUANTILES - 1) * err).mean()


class Plateau:
    def __init__(self, opt, size=30, tol=2e-4, cut=0.7):
        self.opt, self.tol, self.cut = opt, tol, cut
        self.recent = collections.deque(maxlen=size)
        self.best = None
        self.cooldown = 0

    def push(self, loss):
        self.recent.append(loss)
        if self.best is None or loss < self.best:
            self.best = loss
        self.cooldown = max(0, self.cooldown - 1)
        if len(self.recent) == self.recent.maxlen and not self.cooldown:
            half = self.recent.maxlen // 2
            values = torch.stack(list(self.recent))
            slope = values[:half].mean() - values[half:].mean()
            if slope.item() < self.tol:
                for group in self.opt.param_groups:
                    group["lr"] *= self.cut
                self.cooldown = 40
                return True
        return False


series = load_curve(24 * 7 * 6)
model = nn.Sequential(nn.Linear(48, 32), nn.ReLU(), nn.Linear(32, 3))
opt = torch.optim.Adam(model.parameters(), lr=1e-2)
plateau = Plateau(opt)

for it in range(600):
    idx = torch.randint(0, len(series) - 49, (32,))
    rows = torch.stack([series[i:i + 49] for i in idx.tolist()])
    loss = pinball(model(rows[:, :48]), rows[:, 48])
    opt.zero_grad()
    loss.backward()
    opt.step()
    if plateau.push(loss):
        print(f"iter {it}: plateau, lr -> {opt.param_groups[0]['lr']:.2e}")
    if it % 100 == 0:
        print(f"iter {it}: pinball {loss.item():.4f} best {plateau.best.item():.4f}")

with torch.no_grad():
    rows = torch.stack([series[i:i + 49] for i in range(500, 800)])
    pred = model(rows[:, :48])
    cover = ((rows[:, 48] > pred[:, 0]) & (rows[:, 48] < pred[:, 2])).float().mean()
print(f"80% interval covers {cover.item():.2f}")
