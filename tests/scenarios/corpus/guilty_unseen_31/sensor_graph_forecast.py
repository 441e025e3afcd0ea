# gradwatch-corpus: kind=second-backward
# holder: self._memo | self._memo["support"] | self.graph._memo | net.graph._memo | self.graph.support | net.graph.support | net.graph._memo["support"] | net.graph._memo
# first-bad: 1
"""River-gauge network: one-step discharge forecast with a learned adjacency."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F

N_GAUGES = 14


def discharge_series(n_days, seed=9):
    rng = np.random.default_rng(seed)
    downstream = np.tril(rng.random((N_GAUGES, N_GAUGES)) < 0.25, -1).astype("float64")
    q = np.zeros((n_days, N_GAUGES))
    for t in range(1, n_days):
        rain = rng.gamma(0.4, 1.0, N_GAUGES)
        q[t] = 0.6 * q[t - 1] + 0.15 * downstream @ q[t - 1] + rain
    q = np.log1p(q)
    return torch.tensor((q - q.mean(0)) / q.std(0), dtype=torch.float32)


class GaugeGraph(nn.Module):
    def __init__(self, n, rank=4):
        super().__init__()
        self.src = nn.Parameter(torch.randn(n, rank) * 0.3)
        self.dst = nn.Parameter(torch.randn(n, rank) * 0.3)
        self._memo = {}

    def _build_support(self):
        logits = F.relu(self.src @ self.dst.T)
        return torch.softmax(logits, dim=1)

    @property
    def support(self):
        if "support" not in self._memo:
            self._memo["support"] = self._build_support()  # <- culprit
        return self._memo["support"]  # <- culprit


class GraphForecaster(nn.Module):
    def __init__(self, n, lags, hidden=16):
        super().__init__()
        self.graph = GaugeGraph(n)
        self.inp = nn.Linear(lags, hidden)
        self.mix = nn.Linear(2 * hidden, hidden)
        self.out = nn.Linear(hidden, 1)

    def forward(self, x):
        h = F.relu(self.inp(x))
        for _ in range(2):
            neigh = torch.einsum("ij,bjh->bih", self.graph.support, h)
            h = F.relu(self.mix(torch.cat([h, neigh], dim=-1)))
        return self.out(h).squeeze(-1)


def windows(q, lags, batch):
    t = torch.randint(lags, q.size(0), (batch,)).tolist()
    x = torch.stack([q[i - lags:i].T for i in t])
    return x, q[t]


def fit(steps=120, lags=5, batch=32):
    torch.manual_seed(9)
    q = discharge_series(900)
    net = GraphForecaster(N_GAUGES, lags)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for step in range(steps):
        x, y = windows(q[:700], lags, batch)
        loss = F.smooth_l1_loss(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 20 == 0:
            print(f"step {step}: huber {loss.item():.4f}", flush=True)

    net.eval()
    with torch.no_grad():
        x, y = windows(q[700:], lags, 128)
        print("holdout huber", F.smooth_l1_loss(net(x), y).item())


if __name__ == "__main__":
    fit()
