# gradwatch-corpus: kind=second-backward
# holder: self.value | COMPLEXITY.value | layers.COMPLEXITY.value
# first-bad: 1
"""Bayes by Backprop (Blundell et al. 2015) on a heteroscedastic 1d regression."""
import math

import torch

from layers import COMPLEXITY, BayesianMLP


def toy(n, gen):
    x = torch.rand(n, 1, generator=gen) * 4 - 2
    y = torch.sin(2.5 * x) + 0.3 * x + 0.1 * torch.randn(n, 1, generator=gen) * (1 + x.abs())
    return x, y


def minibatch_weight(j, m, scheme="uniform"):
    if scheme == "uniform":
        return 1.0 / m
    return 2 ** (m - j) / (2 ** m - 1)


def fit(epochs=30, batch=50, samples=2):
    gen = torch.Generator().manual_seed(31)
    torch.manual_seed(31)
    x, y = toy(600, gen)
    net = BayesianMLP([1, 40, 40, 1], prior=1.0)
    log_noise = torch.nn.Parameter(torch.tensor(-1.0))
    optimizer = torch.optim.Adam([*net.parameters(), log_noise], lr=4e-3)
    m = math.ceil(len(x) / batch)
    for epoch in range(epochs):
        order = torch.randperm(len(x), generator=gen)
        for j, rows in enumerate(order.split(batch), 1):
            nll = 0.0
            for _ in range(samples):
                err = net(x[rows]) - y[rows]
                nll = nll + (0.5 * (err / log_noise.exp()) ** 2 + log_noise).sum() / samples
            loss = nll + minibatch_weight(j, m) * COMPLEXITY.mean(samples)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        if epoch % 5 == 0:
            print(f"epoch {epoch} loss {loss.item() / batch:.4f} noise {log_noise.exp().item():.3f} "
                  f"sigma {net.mean_sigma():.4f}")


if __name__ == "__main__":
    fit()
