# gradwatch-corpus: kind=second-backward
# holder: adj
# first-bad: 1
from __future__ import annotations

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclass(frozen=True)
class Settings:
    nodes: int = 14
    emb: int = 6
    window: int = 8
    hidden: int = 16
    batch: int = 16
    epochs: int = 4
    lr: float = 3e-3


class AdaptiveAdjacency(nn.Module):
    def __init__(self, n: int, d: int) -> None:
        super().__init__()
        self.source = nn.Parameter(torch.randn(n, d))
        self.target = nn.Parameter(torch.randn(d, n))

    def forward(self) -> Tensor:
        return torch.softmax(F.relu(self.source @ self.target), dim=1)


class GraphForecaster(nn.Module):
    def __init__(self, cfg: Settings) -> None:
        super().__init__()
        self.adjacency = AdaptiveAdjacency(cfg.nodes, cfg.emb)
        self.temporal = nn.Linear(cfg.window, cfg.hidden)
        self.mix = nn.Linear(2 * cfg.hidden, cfg.hidden)
        self.out = nn.Linear(cfg.hidden, 1)

    def forward(self, x: Tensor, adj: Tensor) -> Tensor:
        h = torch.tanh(self.temporal(x))
        h = torch.cat([h, torch.einsum("nm,bmf->bnf", adj, h)], dim=-1)
        return self.out(F.relu(self.mix(h))).squeeze(-1)


def series(cfg: Settings, length: int = 300) -> Tensor:
    g = torch.Generator().manual_seed(17)
    t = torch.arange(length).float()
    phase = 2 * math.pi * torch.rand(cfg.nodes, 1, generator=g)
    return torch.sin(0.2 * t + phase) + 0.1 * torch.randn(cfg.nodes, length, generator=g)


def windows(x: Tensor, cfg: Settings):
    w = x.unfold(1, cfg.window + 1, 1).permute(1, 0, 2)
    for idx in torch.randperm(len(w)).split(cfg.batch):
        yield w[idx, :, :-1], w[idx, :, -1]


def main() -> None:
    cfg = Settings()
    torch.manual_seed(17)
    model = GraphForecaster(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    data = series(cfg)
    adj = model.adjacency()  # <- culprit
    for epoch in range(cfg.epochs):
        err, n = 0.0, 0
        for x, y in windows(data, cfg):
            loss = F.l1_loss(model(x, adj), y)  # <- culprit
            optimizer.zero_grad()
            loss.backward()  # <- culprit
            optimizer.step()
            err += loss.item() * len(x)
            n += len(x)
        print(f"epoch {epoch} mae {err / n:.4f}")


if __name__ == "__main__":
    main()
