# gradwatch-corpus: kind=none
"""Calibration net for a pressure sensor array, with a prediction drift gauge."""
import torch
from torch import nn


class Ring:
    def __init__(self, slots):
        self._slots = [None] * slots
        self._head = 0

    def push(self, item):
        oldest = self._slots[self._head]
        self._slots[self._head] = item
        self._head = (self._head + 1) % len(self._slots)
        return oldest

    def __iter__(self):
        n = len(self._slots)
        for k in range(n):
            item = self._slots[(self._head + k) % n]
            if item is not None:
                yield item


class Calibrator(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.mix = nn.Linear(n, 40)
        self.gain = nn.Linear(40, n)
        self.bias = nn.Parameter(torch.zeros(n))

    def forward(self, raw):
        return raw * (1 + 0.1 * torch.tanh(self.gain(torch.relu(self.mix(raw))))) + self.bias


class Rig:
    def __init__(self, n, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.gain = 1 + 0.2 * torch.randn(n, generator=self.gen)
        self.offset = 0.3 * torch.randn(n, generator=self.gen)
        self.n = n

    def read(self, batch):
        true = torch.rand(batch, self.n, generator=self.gen) * 2
        raw = (true - self.offset) / self.gain + 0.02 * torch.randn(batch, self.n, generator=self.gen)
        return raw, true


def drift(ring):
    items = list(ring)
    if len(items) < 2:
        return 0.0
    with torch.no_grad():
        stack = torch.stack([p.mean(0) for p in items])
        return (stack[1:] - stack[:-1]).abs().mean().item()


def main(steps=700, slots=32):
    torch.manual_seed(101)
    rig = Rig(12, seed=102)
    net = Calibrator(12)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3, betas=(0.9, 0.99))
    ring = Ring(slots)
    turnover = 0.0
    for step in range(steps):
        raw, true = rig.read(24)
        pred = net(raw)
        loss = (pred - true).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        gone = ring.push(pred)
        if gone is not None:
            turnover = 0.9 * turnover + 0.1 * (gone.mean() - pred.mean()).abs().item()
        if step % 100 == 0:
            print(f"{step} mse {loss.item():.5f} drift {drift(ring):.4f} turnover {turnover:.4f}")


if __name__ == "__main__":
    main()
