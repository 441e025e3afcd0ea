# gradwatch-corpus: kind=second-backward
# first-bad: 32
import argparse

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset

from layers import Regressor


def tabular(n=256, d=8):
    x = torch.randn(n, d)
    y = torch.sin(x[:, 0] * x[:, 1]) + 0.5 * x[:, 2] - x[:, 3].abs()
    return TensorDataset(x, y)


def fit(model, loader, opt, epochs, unroll_epochs):
    for epoch in range(epochs):
        # start from a short unroll, as in the paper, then go implicit
        model.deq.implicit = epoch >= unroll_epochs
        total, n = 0.0, 0
        for xb, yb in loader:
            loss = F.smooth_l1_loss(model(xb), yb)
            opt.zero_grad(set_to_none=True)
            loss.backward()
            opt.step()
            total += loss.item() * len(xb)
            n += len(xb)
        print(f"[{epoch}] loss={total / n:.4f} {model.deq.info}")


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--epochs", type=int, default=14)
    p.add_argument("--unroll-epochs", type=int, default=4)
    p.add_argument("--lr", type=float, default=2e-3)
    a = p.parse_args()
    torch.manual_seed(21)
    torch.set_num_threads(1)
    loader = DataLoader(tabular(), batch_size=32, shuffle=True)
    model = Regressor(8)
    fit(model, loader, torch.optim.Adam(model.parameters(), lr=a.lr), a.epochs, a.unroll_epochs)


if __name__ == "__main__":
    main()
