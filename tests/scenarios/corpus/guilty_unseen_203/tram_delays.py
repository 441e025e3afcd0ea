# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Delay forecasting on a tram network with a learned adjacency."""
import torch
from torch import nn


class LearnedGraph(nn.Module):
    def __init__(self, stops, dim=8):
        super().__init__()
        self.source = nn.Parameter(torch.randn(stops, dim) * 0.3)
        self.target = nn.Parameter(torch.randn(stops, dim) * 0.3)

    def forward(self):
        return torch.softmax(torch.relu(self.source @ self.target.t()), dim=1)


class DelayNet(nn.Module):
    def __init__(self, window, hidden=24):
        super().__init__()
        self.lift = nn.Linear(window, hidden)
        self.mix = nn.Linear(hidden, hidden)
        self.head = nn.Linear(hidden, 1)

    def forward(self, x, adjacency):
        h = torch.relu(self.lift(x))
        h = torch.relu(h + self.mix(adjacency @ h))
        return self.head(adjacency @ h).squeeze(-1)


def simulate(stops, length, gen):
    delay = torch.zeros(length, stops)
    for t in range(1, length):
        upstream = torch.roll(delay[t - 1], 1)
        delay[t] = 0.5 * delay[t - 1] + 0.4 * upstream + 0.3 * torch.randn(stops, generator=gen)
    return delay


def windows(series, window, batch, gen):
    start = torch.randint(0, len(series) - window - 1, (batch,), generator=gen)
    x = torch.stack([series[s:s + window].t() for s in start.tolist()])
    y = torch.stack([series[s + window] for s in start.tolist()])
    return x, y


def train(epochs=6, per_epoch=80, window=8):
    torch.manual_seed(31)
    gen = torch.Generator().manual_seed(31)
    stops = 14
    series = simulate(stops, 600, gen)
    graph, net = LearnedGraph(stops), DelayNet(window)
    opt = torch.optim.Adam([*graph.parameters(), *net.parameters()], lr=3e-3)
    best = float("inf")
    for epoch in range(epochs):
        total = 0.0
        adjacency = graph()  # <- culprit
        for _ in range(per_epoch):
            x, y = windows(series, window, 16, gen)
            pred = net(x, adjacency)
            loss = nn.functional.l1_loss(pred, y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            total += loss.item()
        best = min(best, total / per_epoch)
        print(f"epoch {epoch} mae {total / per_epoch:.4f} best {best:.4f}")


if __name__ == "__main__":
    train()
