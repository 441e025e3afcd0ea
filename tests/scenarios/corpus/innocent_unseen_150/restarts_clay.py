# gradwatch-corpus: kind=none
"""Kiln shrinkage model with random restarts and early stopping on the best state."""
import copy

import torch
from torch import nn

torch.manual_seed(43)
torch.set_num_threads(1)


class EarlyStopping:
    def __init__(self, patience):
        self.patience = patience
        self.best, self.state, self.bad = float("inf"), None, 0

    def __call__(self, value, model):
        if value < self.best:
            self.best, self.state, self.bad = value, copy.deepcopy(model.state_dict()), 0
        else:
            self.bad += 1
        return self.bad >= self.patience


class Run:
    def __init__(self, seed, train, valid):
        torch.manual_seed(seed)
        self.model = nn.Sequential(nn.Linear(5, 20), nn.Tanh(), nn.BatchNorm1d(20), nn.Linear(20, 1))
        self.train, self.valid = train, valid
        self.stop = EarlyStopping(8)
        self.steps = 0

    def loss(self, data, rows=slice(None)):
        x, y = data
        return nn.functional.l1_loss(self.model(x[rows]).squeeze(1), y[rows])

    def execute(self, limit=60):
        opt = torch.optim.RMSprop(self.model.parameters(), lr=4e-3)
        while self.steps < limit:
            rows = torch.randint(0, len(self.train[0]), (40,))
            loss = self.loss(self.train, rows)
            opt.zero_grad()
            loss.backward()
            opt.step()
            self.steps += 1
            self.model.eval()
            held_out = self.loss(self.valid)
            self.model.train()
            if self.stop(held_out.item(), self.model):
                break
        self.model.load_state_dict(self.stop.state)
        return self.stop.best


def bricks(n):
    x = torch.randn(n, 5)
    return x, x[:, 0] - 0.4 * x[:, 1] ** 2 + 0.2 * torch.randn(n)


train, valid = bricks(240), bricks(120)
best, total = None, 0
for seed in range(8):
    run = Run(seed, train, valid)
    value = run.execute()
    total += run.steps
    if best is None or value < best[0]:
        best = (value, copy.deepcopy(run.model.state_dict()), seed)
    print(seed, run.steps, f"{value:.4f}")
print("best seed", best[2], f"{best[0]:.4f}", "updates", total)
