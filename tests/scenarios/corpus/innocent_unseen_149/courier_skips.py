# gradwatch-corpus: kind=none
"""Delivery windows from messy courier data: broken batches are skipped and reported."""
from collections import Counter

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(62)


class BrokenBatch(ValueError):
    pass


class Courier(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(5, 24), nn.ReLU(), nn.Linear(24, 1))

    def forward(self, x):
        return self.net(x).squeeze(1)


class Report:
    def __init__(self):
        self.errors = []
        self.kinds = Counter()

    def file(self, n, err):
        self.kinds[type(err).__name__] += 1
        self.errors.append(err.with_traceback(None))


def parcels(n):
    for k in range(n):
        x = torch.rand(20, 5)
        y = x[:, 0] + 2 * x[:, 1] * x[:, 2]
        if k % 9 == 4:
            y[k % 20] = float("nan")
        if k % 13 == 7:
            x = x[:, :4]
        yield k, x, y


def learn(model, opt, x, y):
    guess = model(x)
    loss = F.mse_loss(guess, y)
    if not torch.isfinite(loss):
        raise BrokenBatch(f"{int(y.isnan().sum())} windows missing")
    opt.zero_grad()
    loss.backward()
    opt.step()
    return loss.item()


def main():
    model, report = Courier(), Report()
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    level = []
    for k, x, y in parcels(140):
        try:
            level.append(learn(model, opt, x, y))
        except (BrokenBatch, RuntimeError) as err:
            report.file(k, err)
        if k % 35 == 34:
            print(f"{k + 1} batches: loss {sum(level[-20:]) / 20:.4f}, skipped {dict(report.kinds)}")
    print("last:", report.errors[-1])


main()
