# gradwatch-corpus: kind=second-backward
# holder: self.inducing.gram_root | inducing.gram_root | self.gram_root | model.inducing.gram_root | gram_root
# first-bad: 1
# notice: 0
"""Regression on learned inducing points, minibatch by minibatch."""
import torch

from . import InducingPoints, SparseRegressor

torch.set_num_threads(1)
torch.manual_seed(28)


def readings(n):
    x = torch.rand(n, 2) * 4 - 2
    y = torch.sin(2 * x[:, 0]) * torch.cos(x[:, 1]) + 0.05 * torch.randn(n)
    return x, y


def fit(model, steps=60):
    opt = torch.optim.Adam(model.parameters(), lr=0.02)
    for step in range(steps):
        x, y = readings(48)
        mean, penalty = model(x)
        loss = (mean - y).pow(2).mean() + 1e-3 * penalty
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        if step % 15 == 14:
            print(f"step {step + 1} loss {loss.item():.4f}")


if __name__ == "__main__":
    fit(SparseRegressor(InducingPoints(count=16, dim=2)))
