# gradwatch-corpus: kind=crashed
# first-bad: 60
# notice: 0
"""Chapter 5: transfer of a load forecaster from the Kassel substation to Fulda.

Phase A trains on the source feeder, phase B re-fits the last layer on the target.
"""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)


class LoadForecaster(nn.Module):
    def __init__(self, lags=24, width=20):
        super().__init__()
        self.lag_mix = nn.Linear(lags, width)
        self.hidden = nn.Linear(width, width)
        self.readout = nn.Linear(width, 1)

    def forward(self, lags):
        a = torch.tanh(self.lag_mix(lags))
        a = torch.tanh(self.hidden(a)) + a
        return self.readout(a).squeeze(-1)


def feeder(length, phase, gen):
    t = torch.arange(length).float()
    day = torch.sin(2 * math.pi * (t / 24) + phase)
    week = 0.3 * torch.sin(2 * math.pi * t / 168)
    return day + week + 0.1 * torch.randn(length, generator=gen)


def windows(series, lags=24):
    u = series.unfold(0, lags + 1, 1)
    return u[:, :lags], u[:, lags]


def only_train(model, keep):
    for name, weight in model.named_parameters():
        weight.requires_grad = name.startswith(keep)  # <- culprit


def phase(model, data, steps, lr, gen):
    x, y = data
    crit = nn.SmoothL1Loss()
    opt = torch.optim.Adam(model.parameters(), lr=lr)
    for k in range(steps):
        pick = torch.randint(0, len(y), (24,), generator=gen)
        loss = crit(model(x[pick]), y[pick])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if k % 20 == 0:
            print(f"   step {k:3d}  {loss.item():.4f}")


def main():
    gen = torch.Generator().manual_seed(77)
    torch.manual_seed(77)
    model = LoadForecaster()
    print("phase A (Kassel)")
    phase(model, windows(feeder(700, 0.0, gen)), 60, 5e-3, gen)
    print("phase B (Fulda)")
    only_train(model, keep="head")  # <- culprit
    phase(model, windows(feeder(300, 0.6, gen)), 200, 1e-3, gen)


if __name__ == "__main__":
    main()
