# gradwatch-corpus: kind=graph-held
# holder: total | meter.gi_frame.f_locals["total"]
# first-bad: 1
"""Road-sensor traffic forecasting with a small graph network."""
import torch
from torch import nn


def running_mean():
    total = 0.0
    count = 0
    mean = None
    while True:
        value = yield mean
        total = total + value  # <- culprit
        count += 1
        mean = total / count


def started(coroutine):
    next(coroutine)
    return coroutine


def ring_road(n, shortcuts=6):
    adj = torch.zeros(n, n)
    for i in range(n):
        adj[i, (i + 1) % n] = 1.0
        adj[(i + 1) % n, i] = 1.0
    for _ in range(shortcuts):
        a, b = torch.randint(0, n, (2,)).tolist()
        adj[a, b] = 1.0
        adj[b, a] = 1.0
    adj = adj + torch.eye(n)
    deg = adj.sum(1).clamp_min(1).rsqrt()
    return deg[:, None] * adj * deg[None, :]


class GraphConv(nn.Module):
    def __init__(self, c_in, c_out):
        super().__init__()
        self.lin = nn.Linear(c_in, c_out)

    def forward(self, x, adj):
        return adj @ self.lin(x)


class TrafficNet(nn.Module):
    def __init__(self, history, horizon, width=24):
        super().__init__()
        self.g1 = GraphConv(history, width)
        self.g2 = GraphConv(width, width)
        self.out = nn.Linear(width, horizon)

    def forward(self, x, adj):
        h = torch.relu(self.g1(x, adj))
        h = torch.relu(self.g2(h, adj)) + h
        return self.out(h)


def traffic_series(n_nodes, length):
    t = torch.arange(length).float()
    phase = torch.rand(n_nodes, 1) * 6.28
    daily = torch.sin(2 * torch.pi * t / 48 + phase)
    return daily + 0.1 * torch.randn(n_nodes, length)


def windows(series, history, horizon, batch):
    starts = torch.randint(0, series.shape[1] - history - horizon, (batch,))
    xs = torch.stack([series[:, s:s + history] for s in starts.tolist()])
    ys = torch.stack([series[:, s + history:s + history + horizon] for s in starts.tolist()])
    return xs, ys


def main():
    torch.manual_seed(8)
    adj = ring_road(20)
    series = traffic_series(20, 900)
    model = TrafficNet(12, 3)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=2e-3)
    meter = started(running_mean())
    for step in range(1, 151):
        x, y = windows(series, 12, 3, 16)
        mae = (model(x, adj) - y).abs().mean()
        optimizer.zero_grad()
        mae.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        avg = meter.send(mae)  # <- culprit
        if step % 25 == 0:
            print(f"step {step} mae {mae:.4f} mean {avg:.4f}")


if __name__ == "__main__":
    main()
