# gradwatch-corpus: kind=none
"""Cross validation, one model a fold; the models stay for an out-of-fold ensemble."""
from dataclasses import dataclass

import numpy as np
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(34)
rng = np.random.default_rng(34)


@dataclass
class Fold:
    index: int
    train: np.ndarray
    test: np.ndarray
    model: nn.Module = None
    score: float = float("nan")


def folds(n, k):
    parts = np.array_split(rng.permutation(n), k)
    for i, test in enumerate(parts):
        yield Fold(i, np.concatenate([p for j, p in enumerate(parts) if j != i]), test)


def fit(fold, x, y, epochs=4, size=32):
    fold.model = nn.Sequential(nn.Linear(11, 20), nn.ReLU(), nn.Linear(20, 1))
    opt = torch.optim.Adam(fold.model.parameters(), lr=1e-2)
    total = 0.0
    for _ in range(epochs):
        epoch_loss = 0.0
        for rows in np.array_split(rng.permutation(fold.train), len(fold.train) // size):
            loss = nn.functional.mse_loss(fold.model(x[rows]).squeeze(1), y[rows])
            opt.zero_grad()
            loss.backward()
            opt.step()
            epoch_loss += loss.item()
        total = epoch_loss
    fold.score = score(fold, x, y)
    return total


def score(fold, x, y):
    pred = fold.model(x[fold.test]).squeeze(1)
    return float(1 - (pred - y[fold.test]).var() / y[fold.test].var())


def main():
    x = torch.randn(400, 11)
    y = x[:, 0] + torch.relu(x[:, 1]) - 0.5 * x[:, 2] + 0.1 * torch.randn(400)
    done = []
    for fold in folds(400, 5):
        fit(fold, x, y)
        done.append(fold)
        print(fold.index, f"R2 {fold.score:.3f}")
    with torch.no_grad():
        both = torch.stack([f.model(x).squeeze(1) for f in done]).mean(0)
    print("ensemble", f"{float(nn.functional.mse_loss(both, y)):.4f}")


if __name__ == "__main__":
    main()
