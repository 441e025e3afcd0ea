# gradwatch-corpus: kind=graph-chain
# holder: self.hidden | monitor.hidden | self.cell.hidden | monitor.cell.hidden | cell.hidden
# first-bad: 1
"""Online vibration forecast for a gas turbine: one sample in, one forecast out, one small update.

Runs on the edge box, hence the hand-written optimiser without any state.
"""
import math

import torch
from torch import nn


class PlainDescent:
    """Gradient descent with clipping, straight on the data."""

    def __init__(self, params, lr, clip):
        self.params = list(params)
        self.lr, self.clip = lr, clip

    def clear(self):
        for p in self.params:
            p.grad = None

    def step(self):
        norm = math.sqrt(sum(p.grad.pow(2).sum().item() for p in self.params))
        scale = min(1.0, self.clip / (norm + 1e-9))
        for p in self.params:
            p.data.add_(p.grad, alpha=-self.lr * scale)
        return norm


class StatefulCell(nn.Module):
    """An RNN cell that remembers where it was."""

    def __init__(self, channels, width, streams):
        super().__init__()
        self.rnn = nn.RNNCell(channels, width)
        self.streams, self.width = streams, width
        self.hidden = torch.zeros(streams, width)

    def restart(self):
        self.hidden = torch.zeros(self.streams, self.width)

    def forward(self, sample):
        self.hidden = self.rnn(sample, self.hidden)  # <- culprit
        return self.hidden


class VibrationMonitor(nn.Module):
    def __init__(self, channels=4, width=20, streams=8):
        super().__init__()
        self.cell = StatefulCell(channels, width, streams)
        self.readout = nn.Linear(width, channels)

    def forward(self, sample):
        return sample + self.readout(self.cell(sample))


def shaft(samples, streams=8, channels=4, seed=0):
    """Consecutive pairs (now, next) of the accelerometers."""
    gen = torch.Generator().manual_seed(seed)
    freq = 0.2 + 0.5 * torch.rand(streams, channels, generator=gen)
    phase = 6.28 * torch.rand(streams, channels, generator=gen)
    previous = None
    for t in range(samples + 1):
        wear = 1 + 0.3 * t / samples
        now = wear * torch.sin(freq * t + phase) + 0.02 * torch.randn(streams, channels, generator=gen)
        if previous is not None:
            yield previous, now
        previous = now


def forecast_error(forecast, truth):
    return nn.functional.huber_loss(forecast, truth, delta=0.5)


def online_update(monitor, descent, now, nxt):
    error = forecast_error(monitor(now), nxt)
    descent.clear()
    error.backward(retain_graph=True)  # <- culprit
    return error.item(), descent.step()


def main():
    torch.manual_seed(55)
    torch.set_num_threads(1)
    monitor = VibrationMonitor()
    descent = PlainDescent(monitor.parameters(), lr=0.05, clip=1.0)
    monitor.cell.restart()
    recent = []
    for t, (now, nxt) in enumerate(shaft(220), start=1):
        error, norm = online_update(monitor, descent, now, nxt)
        recent = (recent + [error])[-40:]
        if t % 55 == 0:
            print(f"sample {t}: error {sum(recent) / len(recent):.4f}  gradient norm {norm:.3f}")


if __name__ == "__main__":
    main()
