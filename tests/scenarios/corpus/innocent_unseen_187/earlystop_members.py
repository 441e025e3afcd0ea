# gradwatch-corpus: kind=none
"""Bagged ensemble of crop-yield regressors, each trained until it stops improving."""
from collections import deque

import torch
from torch import nn


class EarlyStopping:
    def __init__(self, patience=15, window=8, min_delta=1e-3):
        self.patience = patience
        self.min_delta = min_delta
        self.best = None
        self.recent = deque(maxlen=window)
        self.bad = 0

    def step(self, val_loss):
        self.recent.append(val_loss)
        smooth = torch.stack(list(self.recent)).mean()
        if self.best is None or smooth < self.best - self.min_delta:
            self.best = smooth
            self.bad = 0
        else:
            self.bad += 1
        return self.bad >= self.patience


def fields(n, gen):
    x = torch.randn(n, 7, generator=gen)
    rain, temp, soil = x[:, 0], x[:, 1], x[:, 2]
    y = rain - 0.4 * rain.pow(2) + 0.5 * temp * soil + 0.2 * x[:, 3]
    return x, y + 0.2 * torch.randn(n, generator=gen)


def make_member():
    return nn.Sequential(nn.Linear(7, 24), nn.Softplus(), nn.Linear(24, 1), nn.Flatten(0))


def train_member(index, x, y, gen, limit=75):
    model = make_member()
    opt = torch.optim.Adam(model.parameters(), lr=0.01)
    stopper = EarlyStopping()
    pick = torch.randint(0, len(x), (len(x),), generator=gen)
    held = torch.ones(len(x), dtype=torch.bool)
    held[pick] = False
    for step in range(limit):
        rows = pick[torch.randint(0, len(pick), (64,), generator=gen)]
        both = torch.cat([x[rows], x[held]])
        pred = model(both)
        train_loss = nn.functional.mse_loss(pred[:64], y[rows])
        val_loss = nn.functional.mse_loss(pred[64:], y[held])
        opt.zero_grad()
        train_loss.backward()
        opt.step()
        if stopper.step(val_loss):
            break
    print(f"member {index} stopped at {step} best {stopper.best.item():.4f}")
    return model.eval(), step + 1


@torch.no_grad()
def ensemble_rmse(members, x, y):
    mean = torch.stack([m(x) for m in members]).mean(0)
    return (mean - y).pow(2).mean().sqrt().item()


def main():
    torch.manual_seed(52)
    gen = torch.Generator().manual_seed(52)
    x, y = fields(256, gen)
    test_x, test_y = fields(128, gen)
    members, total = [], 0
    while total < 520:
        model, used = train_member(len(members), x, y, gen)
        members.append(model)
        total += used
        print(f"  ensemble of {len(members)} rmse {ensemble_rmse(members, test_x, test_y):.4f}")


if __name__ == "__main__":
    main()
