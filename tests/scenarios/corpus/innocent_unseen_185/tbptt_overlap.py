# gradwatch-corpus: kind=none
"""Truncated backprop for a leaky reservoir readout: state is cut every eight ticks."""
import torch
from torch import nn


class LeakyCell(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.inp = nn.Linear(inputs, width)
        self.rec = nn.Linear(width, width, bias=False)
        self.leak = nn.Parameter(torch.zeros(width))
        self.read = nn.Linear(width, 1)

    def forward(self, x, h):
        a = torch.sigmoid(self.leak)
        h = (1 - a) * h + a * torch.tanh(self.inp(x) + self.rec(h))
        return self.read(h).squeeze(-1), h


class Span:
    """Losses of the ticks since the last update."""

    def __init__(self, length):
        self.length = length
        self.losses = []

    def add(self, loss):
        self.losses.append(loss)
        return len(self.losses) == self.length

    def close(self):
        total = torch.stack(self.losses).mean()
        self.losses = []
        return total


class MackeyGlass:
    def __init__(self, lanes, seed, tau=17):
        gen = torch.Generator().manual_seed(seed)
        self.buf = [0.8 + 0.4 * torch.rand(lanes, generator=gen) for _ in range(tau + 1)]

    def tick(self):
        old = self.buf.pop(0)
        x = self.buf[-1]
        self.buf.append(x + 0.2 * old / (1 + old ** 10) - 0.1 * x)
        return x, self.buf[-1]


def main(ticks=1600):
    torch.manual_seed(21)
    source = MackeyGlass(16, seed=22)
    cell = LeakyCell(1, 32)
    opt = torch.optim.Adam(cell.parameters(), lr=4e-3)
    h = torch.zeros(16, 32)
    span = Span(8)
    for tick in range(ticks):
        x, nxt = source.tick()
        pred, h = cell(x[:, None], h)
        if span.add((pred - nxt).pow(2).mean()):
            loss = span.close()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(cell.parameters(), 1.0)
            opt.step()
            h = h.detach()
        if tick % 200 == 199:
            print(f"tick {tick + 1} mse {loss.item():.6f}")


if __name__ == "__main__":
    main()
