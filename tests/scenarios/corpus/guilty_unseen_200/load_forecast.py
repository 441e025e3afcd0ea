# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Stateful LSTM for hourly electricity load."""
import math

import torch
from torch import nn


def hourly_load(hours, seed):
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(hours).float()
    day = torch.sin(2 * math.pi * t / 24)
    week = 0.4 * torch.sin(2 * math.pi * t / 168)
    trend = 0.0002 * t
    return day + week + trend + 0.1 * torch.randn(hours, generator=g)


class Windows:
    def __init__(self, series, streams, width):
        per = len(series) // streams
        self.x = series[: per * streams].view(streams, per, 1)
        self.width = width

    def __len__(self):
        return (self.x.size(1) - 1) // self.width

    def __getitem__(self, i):
        if i >= len(self):
            raise IndexError(i)
        s = i * self.width
        return self.x[:, s:s + self.width], self.x[:, s + 1:s + 1 + self.width]


class StatefulLSTM(nn.Module):
    def __init__(self, hidden=16, layers=1):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, layers, batch_first=True)
        self.readout = nn.Linear(hidden, 1)
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, x):
        out, self.state = self.lstm(x, self.state)  # <- culprit
        return self.readout(out)


def fit_epoch(model, windows, opt, loss_fn):
    model.reset()
    total = 0.0
    for x, y in windows:
        opt.zero_grad()
        loss = loss_fn(model(x), y)
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 0.5)
        opt.step()
        total += loss.item()
    return total / len(windows)


def main():
    torch.manual_seed(6)
    series = hourly_load(24 * 7 * 20, seed=6)
    series = (series - series.mean()) / series.std()
    windows = Windows(series, streams=4, width=12)
    model = StatefulLSTM()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(8):
        mse = fit_epoch(model, windows, opt, nn.MSELoss())
        print(f"epoch {epoch}: {mse:.4f}")


if __name__ == "__main__":
    main()
