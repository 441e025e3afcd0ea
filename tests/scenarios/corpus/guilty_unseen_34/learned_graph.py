# gradwatch-corpus: kind=second-backward
# holder: self.adj | model.adj | adj
# first-bad: 1
"""Traffic forecasting on a road graph whose adjacency is learned from node embeddings."""
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F


def synthetic_traffic(n_sensors, n_steps):
    g = torch.Generator().manual_seed(0)
    t = torch.arange(n_steps).float()
    phase = torch.rand(n_sensors, generator=g) * 6.28
    speed = torch.sin(t[:, None] / 12 + phase) + 0.3 * torch.sin(t[:, None] / 3 + phase)
    return speed + 0.1 * torch.randn(n_steps, n_sensors, generator=g)


class AdaptiveAdjacency(nn.Module):
    def __init__(self, n, dim):
        super().__init__()
        self.src = nn.Parameter(torch.randn(n, dim) * 0.3)
        self.dst = nn.Parameter(torch.randn(n, dim) * 0.3)

    def build(self):
        return F.softmax(F.relu(self.src @ self.dst.t()), dim=1)


class TrafficNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.graph = AdaptiveAdjacency(cfg.n_sensors, cfg.node_dim)
        self.temporal = nn.Linear(cfg.history, cfg.hidden)
        self.mix = nn.Linear(2 * cfg.hidden, cfg.hidden)
        self.head = nn.Linear(cfg.hidden, cfg.horizon)
        self.adj = None

    def prepare(self):
        # the graph is the same for every batch
        self.adj = self.graph.build()  # <- culprit
        return self

    def forward(self, x):                       # (batch, sensors, history)
        h = F.relu(self.temporal(x))
        neigh = self.adj @ h  # <- culprit
        h = F.relu(self.mix(torch.cat([h, neigh], -1)))
        return self.head(h)


class WindowSampler:
    def __init__(self, series, cfg):
        self.series, self.cfg = series, cfg

    def __iter__(self):
        span = self.cfg.history + self.cfg.horizon
        for _ in range(self.cfg.batches):
            starts = torch.randint(0, len(self.series) - span, (self.cfg.batch_size,))
            w = torch.stack([self.series[s:s + span] for s in starts]).transpose(1, 2)
            yield w[..., :self.cfg.history], w[..., self.cfg.history:]


def train(cfg):
    torch.manual_seed(cfg.seed)
    series = synthetic_traffic(cfg.n_sensors, 1500)
    sampler = WindowSampler(series, cfg)
    model = TrafficNet(cfg)
    model.prepare()  # <- culprit
    optimizer = torch.optim.Adam(model.parameters(), lr=cfg.lr)
    for epoch in range(cfg.epochs):
        mae = 0.0
        for x, y in sampler:
            loss = F.l1_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            mae += loss.item()
        print(f"epoch {epoch} mae {mae / cfg.batches:.4f}")


if __name__ == "__main__":
    train(SimpleNamespace(
        n_sensors=20, node_dim=6, history=12, horizon=3, hidden=24,
        batch_size=32, batches=30, epochs=3, lr=3e-3, seed=1,
    ))
