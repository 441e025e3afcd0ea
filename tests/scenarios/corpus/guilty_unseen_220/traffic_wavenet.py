# gradwatch-corpus: kind=second-backward
# holder: self.adjacency | self.__dict__["adjacency"] | net.graph.adjacency
# first-bad: 1
"""Road-sensor speed forecasting with a self-learned adjacency."""
from functools import cached_property

import torch
from torch import nn


class AdaptiveGraph(nn.Module):
    def __init__(self, n_nodes, rank):
        super().__init__()
        self.source = nn.Parameter(torch.randn(n_nodes, rank) * 0.3)
        self.sink = nn.Parameter(torch.randn(rank, n_nodes) * 0.3)

    @cached_property  # <- culprit
    def adjacency(self):  # <- culprit
        return torch.softmax(torch.relu(self.source @ self.sink), dim=1)  # <- culprit

    def forward(self, x, hops):
        out = [x]
        for _ in range(hops):
            x = torch.einsum("vw,bcwt->bcvt", self.adjacency, x)  # <- culprit
            out.append(x)
        return torch.cat(out, dim=1)


class GatedBlock(nn.Module):
    def __init__(self, channels, hops, dilation):
        super().__init__()
        self.hops = hops
        self.filter = nn.Conv2d(channels, channels, (1, 2), dilation=(1, dilation))
        self.gate = nn.Conv2d(channels, channels, (1, 2), dilation=(1, dilation))
        self.mix = nn.Conv2d(channels * (hops + 1), channels, 1)

    def forward(self, x, graph):
        h = torch.tanh(self.filter(x)) * torch.sigmoid(self.gate(x))
        h = self.mix(graph(h, self.hops))
        return h + x[..., -h.shape[-1]:]


class SpeedNet(nn.Module):
    def __init__(self, n_nodes, channels=12, horizon=3):
        super().__init__()
        self.graph = AdaptiveGraph(n_nodes, 6)
        self.inp = nn.Conv2d(1, channels, 1)
        self.blocks = nn.ModuleList(GatedBlock(channels, 2, 2 ** i) for i in range(3))
        self.out = nn.Conv2d(channels, horizon, 1)

    def forward(self, x):
        h = self.inp(x.unsqueeze(1))
        for block in self.blocks:
            h = block(h, self.graph)
        return self.out(torch.relu(h[..., -1:])).squeeze(-1)


def synthetic_speeds(n_nodes, length):
    t = torch.arange(length) / 48.0
    phase = torch.rand(n_nodes, 1)
    base = torch.sin(2 * torch.pi * (t + phase))
    return base + 0.1 * torch.randn(n_nodes, length)


def windows(series, batch, past, horizon, steps):
    limit = series.shape[1] - past - horizon
    for _ in range(steps):
        starts = torch.randint(0, limit, (batch,)).tolist()
        x = torch.stack([series[:, s:s + past] for s in starts])
        y = torch.stack([series[:, s + past:s + past + horizon].t() for s in starts])
        yield x, y


def main():
    torch.manual_seed(13)
    series = synthetic_speeds(30, 1200)
    net = SpeedNet(30)
    optimizer = torch.optim.Adam(net.parameters(), lr=2e-3, weight_decay=1e-4)
    for step, (x, y) in enumerate(windows(series, 16, 12, 3, 80)):
        optimizer.zero_grad()
        loss = nn.functional.l1_loss(net(x), y)
        loss.backward()
        optimizer.step()
        if step % 20 == 0:
            print(f"step {step} mae {loss.item():.4f}")


if __name__ == "__main__":
    main()
