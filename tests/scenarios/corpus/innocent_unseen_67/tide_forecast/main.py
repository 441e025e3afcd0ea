# gradwatch-corpus: kind=none
"""Water levels at several harbours, forecast by a GRU that never stops listening."""
import math

import torch
from torch import nn

from memory import Recurrent


class HarbourNet(Recurrent):
    def __init__(self, harbours, width):
        super().__init__()
        self.cell = nn.GRUCell(harbours, width)
        self.head = nn.Linear(width, harbours)

    def initial(self, batch):
        return torch.zeros(batch, self.cell.hidden_size)

    def advance(self, level, hidden):
        hidden = self.cell(level, hidden)
        return self.head(hidden), hidden


class Stepper:
    """Collects losses over a horizon, then learns from them at once."""

    def __init__(self, net, horizon, lr):
        self.net, self.horizon = net, horizon
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)
        self.pending = []
        self.curve = []

    def observe(self, level, following):
        with self.net.remembering() as net:
            self.pending.append((net(level) - following).square().mean())
            if len(self.pending) >= self.horizon:
                self.learn()

    def learn(self):
        loss = sum(self.pending) / len(self.pending)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), 1.0)
        self.optimizer.step()
        self.curve.append(loss.item())
        self.pending.clear()
        self.net.forget_past()


def levels(n_series, harbours, hours, gen):
    lag = torch.rand(harbours, generator=gen) * 6
    start = torch.rand(n_series, 1, generator=gen) * 12
    for h in range(hours):
        phase = 2 * math.pi * (h + start - lag) / 12.4
        yield torch.sin(phase) + 0.3 * torch.sin(phase * 0.52) + 0.05 * torch.randn(n_series, harbours, generator=gen)


def pairs(stream):
    before = next(stream)
    for now in stream:
        yield before, now
        before = now


def main():
    torch.set_num_threads(1)
    torch.manual_seed(40)
    gen = torch.Generator().manual_seed(40)
    net = HarbourNet(harbours=4, width=20)
    stepper = Stepper(net, horizon=6, lr=5e-3)
    for hour, (level, following) in enumerate(pairs(levels(8, 4, 1201, gen))):
        stepper.observe(level, following)
        if hour % 240 == 239:
            print(f"hour {hour + 1}: mse {sum(stepper.curve[-20:]) / 20:.4f}")


if __name__ == "__main__":
    main()
