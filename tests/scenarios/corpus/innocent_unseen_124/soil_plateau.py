# gradwatch-corpus: kind=none
"""Soil moisture regression; the rate falls when the last few losses stop moving."""
from collections import deque

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(2)


class Plateau:
    def __init__(self, opt, span=6, factor=0.7, tol=0.02):
        self.recent = deque(maxlen=span)
        self.opt, self.factor, self.tol = opt, factor, tol

    def feed(self, loss):
        self.recent.append(loss)
        if len(self.recent) < self.recent.maxlen:
            return
        vals = torch.stack(tuple(self.recent)).detach()
        if (vals.max() - vals.min()) / vals.mean() < self.tol:
            for g in self.opt.param_groups:
                g["lr"] = max(g["lr"] * self.factor, 1e-4)


model = nn.Sequential(nn.Linear(7, 16), nn.Softplus(), nn.Linear(16, 1))
opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.8)
plateau = Plateau(opt)
coef = torch.randn(7)
for day in range(1200):
    x = torch.randn(20, 7)
    wet = torch.sigmoid(x @ coef)[:, None]
    loss = nn.functional.mse_loss(model(x), wet)
    opt.zero_grad()
    loss.backward()
    opt.step()
    plateau.feed(loss)
    if day % 300 == 0:
        print(day, f"{loss.item():.4f}", opt.param_groups[0]["lr"])
