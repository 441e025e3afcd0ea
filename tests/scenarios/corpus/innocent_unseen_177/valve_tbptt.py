# gradwatch-corpus: kind=none
"""Soft-sensor for a hydraulic valve: GRU cell over a long stream, loss
propagated through a window of recent steps."""
import argparse
import collections
import math

import torch
from torch import nn


class ValveStream:
    def __init__(self, n_valves, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.phase = torch.rand(n_valves, generator=self.gen) * 2 * math.pi
        self.speed = 0.05 + 0.1 * torch.rand(n_valves, generator=self.gen)
        self.pressure = torch.zeros(n_valves)

    def __iter__(self):
        step = 0
        while True:
            command = torch.sin(self.phase + self.speed * step)
            noise = 0.03 * torch.randn(command.shape, generator=self.gen)
            self.pressure = 0.92 * self.pressure + 0.08 * torch.tanh(2 * command)
            yield torch.stack([command, command.sign()], -1), self.pressure + noise
            step += 1


class SoftSensor(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.cell = nn.GRUCell(2, width)
        self.readout = nn.Linear(width, 1)

    def forward(self, x, h):
        return self.cell(x, h)

    def pressure(self, h):
        return self.readout(h).squeeze(-1)


class WindowedTrainer:
    """Steps the optimizer every `k1` ticks and reaches back `k2` ticks."""

    def __init__(self, model, k1, k2, lr):
        self.model = model
        self.k1, self.k2 = k1, k2
        self.lr = lr
        self.momentum = [torch.zeros_like(p) for p in model.parameters()]
        self.links = []
        self.smooth = collections.deque(maxlen=50)

    def start(self, h0):
        self.links = [(None, h0)]

    def tick(self, t, x, y):
        inlet = self.links[-1][1].detach().requires_grad_()
        outlet = self.model(x, inlet)
        self.links.append((inlet, outlet))
        while len(self.links) > self.k2:
            del self.links[0]
        if (t + 1) % self.k1 == 0:
            self.model.zero_grad()
            loss = nn.functional.mse_loss(self.model.pressure(outlet), y)
            loss.backward(retain_graph=True)
            for i in range(len(self.links) - 1, 0, -1):
                entry, previous = self.links[i][0], self.links[i - 1][1]
                signal, entry.grad = entry.grad, None
                if previous.grad_fn is None:
                    break
                previous.backward(signal, retain_graph=True)
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            for p, m in zip(self.model.parameters(), self.momentum):
                m.mul_(0.9).add_(p.grad)
                p.data.add_(m, alpha=-self.lr)
            self.smooth.append(loss.item())


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--ticks", type=int, default=2000)
    parser.add_argument("--valves", type=int, default=24)
    args = parser.parse_args()
    torch.manual_seed(5)
    trainer = WindowedTrainer(SoftSensor(32), k1=5, k2=20, lr=2e-2)
    trainer.start(torch.zeros(args.valves, 32))
    for t, (x, y) in zip(range(args.ticks), ValveStream(args.valves, 11)):
        trainer.tick(t, x, y)
        if (t + 1) % 400 == 0:
            print(f"tick {t + 1}: mse {sum(trainer.smooth) / len(trainer.smooth):.5f}")


if __name__ == "__main__":
    main()
