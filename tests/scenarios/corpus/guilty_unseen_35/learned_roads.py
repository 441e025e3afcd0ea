# gradwatch-corpus: kind=second-backward
# holder: self.__dict__["transition"] | self.transition | topology.transition | topology.__dict__["transition"] | model.topology.transition | self.topology.transition | model.topology.__dict__["transition"] | layer.topology.transition | a | hop
# first-bad: 1
from functools import cached_property

import torch
from torch import nn

STATIONS, WINDOW, WIDTH = 18, 8, 24


class Topology(nn.Module):
    """Learned road graph, shared by every mixing layer of the model."""

    def __init__(self, stations, rank):
        super().__init__()
        self.source = nn.Parameter(torch.randn(stations, rank) * 0.3)
        self.target = nn.Parameter(torch.randn(stations, rank) * 0.3)

    @cached_property  # <- culprit
    def transition(self):
        affinity = torch.relu(self.source @ self.target.t())
        return torch.softmax(affinity, dim=-1)  # <- culprit


class GraphMix(nn.Module):
    def __init__(self, topology, d_in, d_out):
        super().__init__()
        self.topology = topology
        self.near = nn.Linear(d_in, d_out)
        self.far = nn.Linear(d_in, d_out, bias=False)

    def forward(self, x):
        hop = self.topology.transition  # <- culprit
        return self.near(x) + self.far(hop @ x)


class TrafficNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.topology = Topology(STATIONS, rank=6)
        self.layers = nn.Sequential(
            GraphMix(self.topology, WINDOW, WIDTH),
            nn.ReLU(),
            GraphMix(self.topology, WIDTH, WIDTH),
            nn.ReLU(),
        )
        self.out = nn.Linear(WIDTH, 1)

    def forward(self, x):
        return self.out(self.layers(x)).squeeze(-1)


def flows(steps, seed):
    g = torch.Generator().manual_seed(seed)
    road = torch.softmax(3 * torch.randn(STATIONS, STATIONS, generator=g), -1)
    level = torch.randn(STATIONS, generator=g)
    rows = []
    for _ in range(steps):
        level = 0.9 * road @ level + 0.4 * torch.randn(STATIONS, generator=g)
        rows.append(level)
    return torch.stack(rows)


def windows(series, batch):
    starts = torch.randperm(len(series) - WINDOW)
    for idx in starts.split(batch):
        x = torch.stack([series[i:i + WINDOW].t() for i in idx.tolist()])
        yield x, series[idx + WINDOW]


def main():
    torch.manual_seed(31)
    series = flows(900, seed=1)
    series = (series - series.mean(0)) / series.std(0)
    model = TrafficNet()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    print("parameters:", sum(p.numel() for p in model.parameters()))
    for epoch in range(4):
        total, count = 0.0, 0
        for x, y in windows(series, batch=32):
            loss = nn.functional.l1_loss(model(x), y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            total += loss.item()
            count += 1
        print(f"epoch {epoch}: mae {total / count:.4f}")


if __name__ == "__main__":
    main()
