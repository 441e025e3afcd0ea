# gradwatch-corpus: kind=second-backward
# holder: prior
# first-bad: 1
"""Multi-warehouse demand forecasting with a transport-network smoothness prior."""
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass
class Network:
    laplacian: Tensor

    @classmethod
    def ring(cls, n: int, shortcuts: int) -> "Network":
        adj = torch.zeros(n, n)
        for i in range(n):
            adj[i, (i + 1) % n] = 1
        src = torch.randint(n, (shortcuts,))
        dst = torch.randint(n, (shortcuts,))
        adj[src, dst] = 1
        adj = torch.maximum(adj, adj.T)
        return cls(torch.diag(adj.sum(1)) - adj)


class Forecaster(nn.Module):
    def __init__(self, sites: int, window: int, dim: int = 10) -> None:
        super().__init__()
        self.site = nn.Parameter(torch.randn(sites, dim) * 0.1)
        self.season = nn.Linear(window, dim)
        self.mix = nn.Bilinear(dim, dim, 16)
        self.out = nn.Linear(16, 1)

    def forward(self, history: Tensor) -> Tensor:
        b, s, _ = history.shape
        site = self.site.expand(b, s, -1).contiguous()
        return self.out(torch.relu(self.mix(site, self.season(history)))).squeeze(-1)


def smoothness(site: Tensor, net: Network) -> Tensor:
    return torch.trace(site.T @ net.laplacian @ site) / site.shape[0]


def pinball(pred: Tensor, target: Tensor, q: float) -> Tensor:
    err = target - pred
    return torch.maximum(q * err, (q - 1) * err).mean()


def weeks(count: int, batch: int, sites: int, window: int):
    base = torch.rand(sites) * 3
    for _ in range(count):
        phase = torch.rand(batch, 1, 1) * 6.28
        t = torch.arange(window + 1) * 0.5
        series = base[None, :, None] + torch.sin(t + phase) + 0.1 * torch.randn(batch, sites, window + 1)
        yield series[..., :-1], series[..., -1]


def run_epoch(model: Forecaster, net: Network, opt: torch.optim.Optimizer, weight: float) -> float:
    total = 0.0
    n = 0
    prior = weight * smoothness(model.site, net)  # <- culprit
    for history, target in weeks(30, 12, model.site.shape[0], 8):
        loss = pinball(model(history), target, 0.8) + prior  # <- culprit
        opt.zero_grad()
        loss.backward()
        opt.step()
        total += loss.item()
        n += 1
    return total / n


def main() -> None:
    torch.manual_seed(77)
    net = Network.ring(18, 8)
    model = Forecaster(18, 8)
    opt = torch.optim.Adam(model.parameters(), lr=4e-3)
    for epoch in range(4):
        avg = run_epoch(model, net, opt, weight=0.05)
        print(f"epoch {epoch} pinball {avg:.4f}")


if __name__ == "__main__":
    main()
