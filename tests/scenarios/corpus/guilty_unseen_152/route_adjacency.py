# gradwatch-corpus: kind=second-backward
# holder: self._mix | self.mix | model.graph._mix | self.graph._mix | model.graph.mix
# first-bad: 1
"""Forecasts parcel volumes on a depot network whose links are learned."""
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class Config:
    depots: int = 14
    history: int = 8
    rank: int = 5
    hidden: int = 16
    steps: int = 60
    lr: float = 5e-3


class LearnedGraph(nn.Module):
    """Soft adjacency from two low-rank embeddings."""

    def __init__(self, nodes, rank):
        super().__init__()
        self.source = nn.Parameter(torch.randn(nodes, rank))
        self.sink = nn.Parameter(torch.randn(nodes, rank))
        self._mix = None

    @property
    def mix(self):
        if self._mix is None:
            affinity = torch.relu(self.source @ self.sink.T)
            self._mix = torch.softmax(affinity, dim=1)  # <- culprit
        return self._mix

    def forward(self, x):
        return torch.einsum("ij,bjf->bif", self.mix, x)


class VolumeForecaster(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.graph = LearnedGraph(cfg.depots, cfg.rank)
        self.inp = nn.Linear(cfg.history, cfg.hidden)
        self.out = nn.Linear(2 * cfg.hidden, 1)

    def forward(self, x):
        h = torch.relu(self.inp(x))
        near = torch.relu(self.graph(h))
        return self.out(torch.cat([h, near], -1)).squeeze(-1)


def volumes(cfg, batch=16, seed=12):
    gen = torch.Generator().manual_seed(seed)
    flow = torch.rand(cfg.depots, cfg.depots, generator=gen).softmax(1)
    while True:
        x = [torch.rand(batch, cfg.depots, generator=gen)]
        for _ in range(cfg.history):
            x.append(0.5 * x[-1] + 0.5 * x[-1] @ flow.T + 0.05 * torch.randn(batch, cfg.depots, generator=gen))
        series = torch.stack(x, -1)
        yield series[..., :-1], series[..., -1]


def main(cfg):
    torch.manual_seed(12)
    torch.set_num_threads(1)
    model = VolumeForecaster(cfg)
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for step, (x, y) in zip(range(cfg.steps), volumes(cfg)):
        loss = nn.functional.mse_loss(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 10 == 0:
            print(f"step {step:3d}  mse {loss.item():.5f}", flush=True)


if __name__ == "__main__":
    main(Config())
