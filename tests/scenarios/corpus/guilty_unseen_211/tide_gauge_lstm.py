# gradwatch-corpus: kind=second-backward
# holder: self.state | self.state.c | model.state | model.state.c
# first-bad: 1
from dataclasses import dataclass, replace

import torch
from torch import nn


@dataclass(frozen=True)
class CellState:
    h: torch.Tensor
    c: torch.Tensor
    age: int = 0

    @classmethod
    def zeros(cls, batch, width):
        return cls(torch.zeros(batch, width), torch.zeros(batch, width))

    def advance(self, h, c):
        return CellState(h, c, self.age + 1)

    def repackage(self):
        return replace(self, h=self.h.detach())  # <- culprit


class CarryMixin:
    def begin(self, batch):
        self.state = CellState.zeros(batch, self.width)

    def cut(self):
        self.state = self.state.repackage()  # <- culprit


class GaugeModel(CarryMixin, nn.Module):
    def __init__(self, stations, width=40):
        super().__init__()
        self.width = width
        self.cell = nn.LSTMCell(stations, width)
        self.out = nn.Linear(width, stations)

    def forward(self, window):
        preds = []
        for x in window.unbind(1):
            h, c = self.cell(x, (self.state.h, self.state.c))
            self.state = self.state.advance(h, c)  # <- culprit
            preds.append(x + self.out(h))
        return torch.stack(preds, 1)


def tide_series(batch, length, stations, seed=3):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(length).float()[None, :, None]
    phase = 6.28 * torch.rand(batch, 1, stations, generator=g)
    x = torch.sin(0.26 * t + phase) + 0.4 * torch.sin(0.52 * t + 2 * phase)
    return x + 0.05 * torch.randn(batch, length, stations, generator=g)


def windows(series, size):
    for s in range(0, series.size(1) - size - 1, size):
        yield series[:, s:s + size], series[:, s + 1:s + size + 1]


def main():
    torch.manual_seed(1)
    data = tide_series(8, 900, 5)
    model = GaugeModel(5)
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    for epoch in range(2):
        model.begin(8)
        running = 0.0
        for i, (x, y) in enumerate(windows(data, 12), 1):
            model.cut()
            loss = nn.functional.smooth_l1_loss(model(x), y)
            opt.zero_grad()
            loss.backward()
            opt.step()
            running += loss.item()
        print(epoch, running / i)


if __name__ == "__main__":
    main()
