# gradwatch-corpus: kind=graph-chain
# holder: level | smoother | smoother.gi_frame.f_locals["level"] | gen.level | exp_smoother.level
# first-bad: 1
# notice: 5
"""Default-risk scorecard (logistic regression) trained on an exponentially smoothed objective."""
import argparse

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn


def exp_smoother(beta):
    level = None
    value = yield
    while True:
        level = value if level is None else beta * level + (1 - beta) * value  # <- culprit
        value = yield level


class Scorecard(nn.Module):
    def __init__(self, n_features):
        super().__init__()
        self.score = nn.Linear(n_features, 1)

    def forward(self, x):
        return self.score(x).squeeze(-1)


class LoanBook:
    def __init__(self, rows, seed):
        rng = np.random.default_rng(seed)
        self.x = rng.normal(size=(rows, 14)).astype(np.float32)
        w = np.random.default_rng(77).normal(size=14)
        p = 1 / (1 + np.exp(-(self.x @ w - 1.0)))
        self.y = (rng.random(rows) < p).astype(np.float32)
        self.rng = rng

    def draw(self, n):
        idx = self.rng.choice(len(self.x), n, replace=False)
        return torch.from_numpy(self.x[idx]), torch.from_numpy(self.y[idx])


def gini(model, book):
    with torch.no_grad():
        s = model(torch.from_numpy(book.x))
    y = torch.from_numpy(book.y)
    pos, neg = s[y == 1], s[y == 0]
    auc = (pos[:, None] > neg[None]).float().mean()
    return (2 * auc - 1).item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=90)
    ap.add_argument("--beta", type=float, default=0.8)
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(2)
    book, valid = LoanBook(1500, 1), LoanBook(300, 2)
    model = Scorecard(14)
    opt = torch.optim.SGD(model.parameters(), lr=0.2)
    smoother = exp_smoother(args.beta)
    next(smoother)
    for step in range(args.steps):
        x, y = book.draw(64)
        loss = F.binary_cross_entropy_with_logits(model(x), y)
        smoothed = smoother.send(loss)  # <- culprit
        opt.zero_grad()
        smoothed.backward(retain_graph=True)  # <- culprit
        opt.step()
        if step % 30 == 0:
            print(f"{step:3d} smoothed {smoothed.item():.4f} gini {gini(model, valid):.3f}")


if __name__ == "__main__":
    main()
