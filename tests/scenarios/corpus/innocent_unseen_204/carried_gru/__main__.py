# gradwatch-corpus: kind=none
import torch
from torch import nn

from .series import Oscillators
from .state import Memory, StatefulMixin


class Forecaster(StatefulMixin, nn.Module):
    def __init__(self, dim, hidden=18):
        super().__init__()
        self.lstm = nn.LSTM(dim, hidden, batch_first=True)
        self.out = nn.Linear(hidden, dim)

    def forward(self, x):
        y, pair = self.lstm(x, self.memory.pair)
        self.memory = Memory(*pair)
        return self.out(y)


class Training:
    def __init__(self, model, lr=4e-3):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.average = None

    def smooth(self, loss):
        value = loss.detach()
        self.average = value if self.average is None else 0.95 * self.average + 0.05 * value
        return self.average

    def chunk(self, x, y):
        with self.model.continuing():
            loss = (self.model(x) - y).pow(2).mean()
        weight = 1.0 if self.average is None else (1 + self.average).reciprocal()
        self.opt.zero_grad()
        (weight * loss).backward()
        self.opt.step()
        return self.smooth(loss)


def main():
    torch.manual_seed(6)
    training = Training(Forecaster(3))
    for i, (x, y) in enumerate(Oscillators(3, rows=6).chunks(420, length=8)):
        average = training.chunk(x, y)
        if i % 105 == 0:
            print(i, round(average.item(), 4))


if __name__ == "__main__":
    main()
