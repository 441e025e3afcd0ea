# gradwatch-corpus: kind=second-backward
# holder: self.state | model.state | trainer.model.state
# first-bad: 1
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(8)


def electricity_load(hours=24 * 90):
    t = torch.arange(hours, dtype=torch.float32)
    daily = torch.sin(2 * math.pi * t / 24)
    weekly = 0.4 * torch.cos(2 * math.pi * t / (24 * 7))
    return 1.5 + daily + weekly + 0.1 * torch.randn(hours)


class WindowLoader:
    def __init__(self, series, lanes=6, window=24):
        n = len(series) // lanes
        self.lanes = series[: n * lanes].view(lanes, n, 1)
        self.window = window

    def __len__(self):
        return (self.lanes.size(1) - 1) // self.window

    def __iter__(self):
        for k in range(len(self)):
            s = k * self.window
            yield self.lanes[:, s:s + self.window], self.lanes[:, s + 1:s + self.window + 1]


class LoadForecaster(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.head = nn.Linear(hidden, 1)
        self.state = None

    def reset(self):
        self.state = None

    def forward(self, x):
        out, self.state = self.lstm(x, self.state)  # <- culprit
        return self.head(out)


class Trainer:
    def __init__(self, model, lr=5e-3):
        self.model = model
        self.opt = torch.optim.Adam(model.parameters(), lr=lr)
        self.crit = nn.L1Loss()

    def run_epoch(self, loader):
        self.model.train()
        self.model.reset()
        total = 0.0
        for x, y in loader:
            pred = self.model(x)
            loss = self.crit(pred, y)
            self.opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.opt.step()
            total += loss.item()
        return total / len(loader)


def main():
    series = electricity_load()
    series = (series - series.mean()) / series.std()
    trainer = Trainer(LoadForecaster())
    for epoch in range(6):
        print(f"epoch {epoch} mae {trainer.run_epoch(WindowLoader(series)):.4f}")


if __name__ == "__main__":
    main()
