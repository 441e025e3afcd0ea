# gradwatch-corpus: kind=graph-held
# holder: probe.layer.weight | self.layer.weight | net.mix2.lin.weight | self.layer.weight._backward_hooks | probe.layer.weight._backward_hooks | layer.weight._backward_hooks | net.mix2.lin.weight._backward_hooks | weight._backward_hooks
# first-bad: 1
"""Traffic speed forecast on a synthetic road graph with a two-layer diffusion GNN."""
from functools import partial

import numpy as np
import torch
import torch.nn as nn


def road_graph(n, rng, k=4):
    xy = rng.uniform(size=(n, 2))
    d = np.linalg.norm(xy[:, None] - xy[None], axis=-1)
    adj = np.zeros((n, n), dtype=np.float32)
    for i in range(n):
        near = np.argsort(d[i])[1:k + 1]
        adj[i, near] = np.exp(-(d[i, near] ** 2) / 0.02)
    adj = adj + adj.T
    deg = adj.sum(1, keepdims=True) + 1e-6
    return torch.from_numpy(adj / deg)


def speeds(adj, T, gen):
    """Diffusing congestion with a daily rhythm."""
    n = adj.size(0)
    x, out = torch.randn(n, generator=gen), []
    for t in range(T):
        rhythm = np.sin(2 * np.pi * t / 48)
        x = 0.55 * x + 0.4 * adj @ x + 0.15 * rhythm + 0.1 * torch.randn(n, generator=gen)
        out.append(x)
    return torch.stack(out)


class Diffuse(nn.Module):
    def __init__(self, d_in, d_out, hops=2):
        super().__init__()
        self.hops = hops
        self.lin = nn.Linear(d_in * (hops + 1), d_out)

    def forward(self, adj, h):
        parts = [h]
        for _ in range(self.hops):
            parts.append(torch.einsum("ij,bjd->bid", adj, parts[-1]))
        return self.lin(torch.cat(parts, dim=-1))


class TrafficNet(nn.Module):
    def __init__(self, lags, hidden=32):
        super().__init__()
        self.mix1 = Diffuse(lags, hidden)
        self.mix2 = Diffuse(hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, adj, x):
        h = torch.relu(self.mix1(adj, x))
        h = torch.relu(self.mix2(adj, h)) + h
        return self.out(h).squeeze(-1), h


class SmoothnessProbe:
    """Compares gradient size with the spread of the node embeddings (over-smoothing check)."""

    def __init__(self, layer):
        self.layer = layer
        self.latest = {}

    def on_forward(self, step, embeddings):
        self.layer.weight.register_hook(partial(self._note, step, embeddings))  # <- culprit

    def _note(self, step, embeddings, grad):
        if step % 20 == 0 and step not in self.latest:
            spread = embeddings.detach().std(dim=1).mean().item()
            self.latest[step] = (grad.norm().item(), spread)


def windows(series, lags, batch, rng):
    last = len(series) - 1
    while True:
        ends = rng.integers(lags, last, size=batch)
        x = torch.stack([series[e - lags:e].T for e in ends])
        yield x, series[torch.as_tensor(ends)]


def main():
    rng, gen = np.random.default_rng(2), torch.Generator().manual_seed(2)
    torch.manual_seed(2)
    adj = road_graph(40, rng)
    series = speeds(adj, 400, gen)
    net = TrafficNet(lags=6)
    probe = SmoothnessProbe(net.mix2.lin)
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    feed = windows(series, 6, 16, rng)

    for step in range(100):
        x, y = next(feed)
        pred, emb = net(adj, x)
        probe.on_forward(step, emb)  # <- culprit
        loss = nn.functional.huber_loss(pred, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            g, s = probe.latest[step]
            print(f"{step:4d}  huber {loss.item():.4f}  |grad| {g:.3f}  spread {s:.3f}")


if __name__ == "__main__":
    main()
