# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Blind source separation with an orthogonal unmixing matrix (parametrizations)."""
import torch
import torch.nn as nn
import torch.nn.utils.parametrize as parametrize
from torch.nn.utils.parametrizations import orthogonal


class Positive(nn.Module):
    def forward(self, x):
        return nn.functional.softplus(x)

    def right_inverse(self, y):
        return torch.log(torch.expm1(y))


class Gains(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(n))

    def forward(self, s):
        return s * self.scale


class Unmixer(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.rotate = orthogonal(nn.Linear(n, n, bias=False))
        self.gains = Gains(n)
        parametrize.register_parametrization(self.gains, "scale", Positive())

    def forward(self, x):
        return self.gains(self.rotate(x))


def whiten(x):
    x = x - x.mean(0)
    cov = x.T @ x / len(x)
    vals, vecs = torch.linalg.eigh(cov)
    return x @ vecs @ torch.diag(vals.rsqrt()) @ vecs.T


def sources(n):
    t = torch.linspace(0, 60, n)
    saw = (t * 0.7) % 1.0 - 0.5
    square = torch.sign(torch.sin(2.3 * t))
    laplace = torch.distributions.Laplace(0.0, 1.0).sample((n,))
    uniform = torch.rand(n) - 0.5
    s = torch.stack([saw, square, laplace, uniform], dim=1)
    return s / s.std(0)


def negentropy(y):
    z = torch.log(torch.cosh(y)).mean(0)
    return -(z - 0.3746).pow(2).sum()


def fit(model, x, epochs, batch):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    history = []
    with parametrize.cached():  # <- culprit
        for epoch in range(epochs):
            total = 0.0
            for chunk in x[torch.randperm(len(x))].split(batch):
                optimizer.zero_grad()
                y = model(chunk)
                power = (y.pow(2).mean(0) - 1.0).pow(2).sum()
                loss = negentropy(y) + 0.1 * power
                loss.backward()
                optimizer.step()
                total += loss.item()
            history.append(total)
            print(f"epoch {epoch} objective {total:.4f}")
    return history


def main():
    torch.manual_seed(31)
    s = sources(2048)
    mixing = torch.randn(4, 4)
    x = whiten(s @ mixing.T)
    model = Unmixer(4)
    fit(model, x, epochs=10, batch=256)
    with torch.no_grad():
        y = model(x)
    corr = torch.corrcoef(torch.cat([y, s], dim=1).T)[:4, 4:]
    print(corr.abs().max(dim=1).values)


if __name__ == "__main__":
    main()
