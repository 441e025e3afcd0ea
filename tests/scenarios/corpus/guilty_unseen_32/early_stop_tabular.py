# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""Tabular regressor with step-wise validation, patience and a best checkpoint."""
import copy
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split


class ResidualBlock(nn.Module):
    def __init__(self, width, drop):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)
        self.drop = nn.Dropout(drop)

    def forward(self, x):
        return x + self.drop(self.down(torch.relu(self.up(self.norm(x)))))


class TabNet(nn.Module):
    def __init__(self, d_in, width=32, depth=3, drop=0.1):
        super().__init__()
        self.stem = nn.Linear(d_in, width)
        self.blocks = nn.Sequential(*(ResidualBlock(width, drop) for _ in range(depth)))
        self.head = nn.Linear(width, 1)

    def forward(self, x):
        return self.head(self.blocks(self.stem(x))).squeeze(-1)


@dataclass
class EarlyStop:
    patience: int
    best: float = float("inf")
    bad: int = 0
    weights: dict | None = None

    def update(self, score, model):
        if score < self.best - 1e-4:
            self.best, self.bad = score, 0
            self.weights = copy.deepcopy(model.state_dict())
        else:
            self.bad += 1
        return self.bad >= self.patience


def friedman(n, d=10):
    x = torch.rand(n, d)
    y = (10 * torch.sin(torch.pi * x[:, 0] * x[:, 1]) + 20 * (x[:, 2] - 0.5) ** 2
         + 10 * x[:, 3] + 5 * x[:, 4] + torch.randn(n))
    return TensorDataset(x, (y - y.mean()) / y.std())


def validate(model, loader, criterion):
    model.eval()
    total, n = 0.0, 0
    for xb, yb in loader:
        pred = model(xb)  # <- culprit
        total += criterion(pred, yb).item() * len(yb)
        n += len(yb)
    model.train()
    return total / n


def fit(model, train_loader, valid_loader, max_steps, stopper):
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3, weight_decay=1e-2)
    criterion = nn.SmoothL1Loss()
    step = 0
    while step < max_steps:
        for xb, yb in train_loader:
            optimizer.zero_grad()
            loss = criterion(model(xb), yb)
            loss.backward()
            optimizer.step()
            score = validate(model, valid_loader, criterion)  # <- culprit
            if step % 20 == 0:
                print(f"step {step:3d} train {loss.item():.4f} valid {score:.4f}")
            step += 1
            if stopper.update(score, model):
                print(f"no progress for {stopper.patience} steps, stopping at {step}")
                return step
            if step >= max_steps:
                break
    return step


if __name__ == "__main__":
    torch.manual_seed(18)
    train_set, valid_set = random_split(friedman(900), [640, 260])
    stopper = EarlyStop(patience=60)
    net = TabNet(10)
    fit(net, DataLoader(train_set, 64, shuffle=True), DataLoader(valid_set, 65), 120, stopper)
    net.load_state_dict(stopper.weights)
    print(f"best validation {stopper.best:.4f}")
