# gradwatch-corpus: kind=none
"""Truncated BPTT over pump telemetry: the window's losses are collected and stepped together."""
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import torch
from torch import nn

WINDOW, LANES, CHANNELS, HIDDEN = 5, 10, 3, 20


@dataclass(frozen=True)
class Carry:
    hidden: torch.Tensor
    losses: tuple = field(default=())

    def add(self, hidden, loss):
        return replace(self, hidden=hidden, losses=self.losses + (loss,))

    def cut(self):
        return Carry(self.hidden.detach())


class Stream:
    def __init__(self, lanes, width):
        self.carry = Carry(torch.zeros(lanes, width))

    def push(self, hidden, loss):
        self.carry = self.carry.add(hidden, loss)

    @contextmanager
    def window(self, optimizer):
        yield
        total = torch.stack(self.carry.losses).mean()
        optimizer.zero_grad()
        total.backward()
        optimizer.step()
        self.carry = self.carry.cut()


class PumpModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell = nn.GRUCell(CHANNELS, HIDDEN)
        self.head = nn.Linear(HIDDEN, CHANNELS)

    def forward(self, x, hidden):
        hidden = self.cell(x, hidden)
        return self.head(hidden), hidden


def telemetry(steps, seed=0):
    gen = torch.Generator().manual_seed(seed)
    phase = torch.rand(LANES, CHANNELS, generator=gen) * 6.28
    t = torch.arange(steps).view(-1, 1, 1) * 0.35
    return torch.sin(t + phase) + 0.05 * torch.randn(steps, LANES, CHANNELS, generator=gen)


def windows(series):
    for start in range(0, len(series) - WINDOW - 1, WINDOW):
        yield start // WINDOW, zip(series[start:start + WINDOW], series[start + 1:start + WINDOW + 1])


def main():
    torch.manual_seed(2)
    model = PumpModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=6e-3)
    stream = Stream(LANES, HIDDEN)
    shown = []
    for number, pairs in windows(telemetry(WINDOW * 90)):
        with stream.window(optimizer):
            for x, y in pairs:
                out, hidden = model(x, stream.carry.hidden)
                loss = nn.functional.mse_loss(out, y)
                stream.push(hidden, loss)
        shown.append(loss.item())
        if number % 20 == 0:
            print(f"window {number}: last frame mse {shown[-1]:.4f}")


if __name__ == "__main__":
    main()
