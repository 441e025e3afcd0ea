# gradwatch-corpus: kind=second-backward
# holder: self.memory | forecaster.memory
# first-bad: 1
"""Hourly demand forecasting with a stateful LSTM, windows fed in order."""
import math

import torch
from torch import nn

HORIZON = 6
WINDOW = 24
N_SERIES = 10
EPOCHS = 3


def demand_history(hours, gen):
    t = torch.arange(hours).float()
    phase = torch.rand(N_SERIES, 1, generator=gen) * math.pi
    daily = torch.sin(2 * math.pi * t / 24 + phase)
    weekly = 0.5 * torch.sin(2 * math.pi * t / 168)
    return daily + weekly + 0.1 * torch.randn(N_SERIES, hours, generator=gen)


def ordered_windows(series):
    last = series.shape[1] - WINDOW - HORIZON
    for start in range(0, last, WINDOW):
        stop = start + WINDOW
        yield series[:, start:stop].unsqueeze(-1), series[:, stop:stop + HORIZON]


class Forecaster(nn.Module):
    def __init__(self, hidden=32):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.out = nn.Linear(hidden, HORIZON)
        self.memory = None

    def reset(self):
        self.memory = None

    def forward(self, window):
        seq, self.memory = self.lstm(window, self.memory)  # <- culprit
        return self.out(seq[:, -1])


def smape(pred, actual):
    return (2 * (pred - actual).abs() / (pred.abs() + actual.abs() + 1e-6)).mean().item()


def run():
    torch.manual_seed(77)
    gen = torch.Generator().manual_seed(77)
    series = demand_history(24 * 60, gen)
    forecaster = Forecaster()
    opt = torch.optim.Adam(forecaster.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.StepLR(opt, step_size=1, gamma=0.7)
    table = {"epoch": [], "mse": [], "smape": []}

    for epoch in range(EPOCHS):
        forecaster.reset()
        mse_sum = 0.0
        smape_sum = 0.0
        n = 0
        for window, target in ordered_windows(series):
            pred = forecaster(window)
            loss = nn.functional.mse_loss(pred, target)
            opt.zero_grad()
            loss.backward()
            opt.step()
            mse_sum += loss.item()
            smape_sum += smape(pred.detach(), target)
            n += 1
        sched.step()
        table["epoch"].append(epoch)
        table["mse"].append(mse_sum / n)
        table["smape"].append(smape_sum / n)
        print(f"epoch {epoch} mse={table['mse'][-1]:.4f} smape={table['smape'][-1]:.3f}")
    return table


if __name__ == "__main__":
    run()
