# gradwatch-corpus: kind=none
"""Tide gauge residuals: a small net on top of the harmonic constituents.

Every REPORT_EVERY steps a report on the last window is made: mean, stack,
quantiles and the best step of the window. The last report stays around, because
the schedule of the learning rate looks at it.
"""
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(6)

STEPS = 560
REPORT_EVERY = 35
PERIODS = torch.tensor([12.42, 12.00, 23.93, 25.82])


def gauge(hours):
    t = torch.arange(hours).float()
    amp = torch.tensor([1.2, 0.5, 0.3, 0.2])
    phase = torch.rand(4) * 2 * math.pi
    tide = (amp * torch.cos(2 * math.pi * t[:, None] / PERIODS + phase)).sum(1)
    wind = torch.zeros(hours)
    for i in range(1, hours):
        wind[i] = 0.97 * wind[i - 1] + 0.1 * torch.randn(())
    surge = 0.4 * torch.relu(wind) ** 1.5 - 0.05 * wind
    return t, wind, tide + surge + 0.05 * torch.randn(hours)


def features(t, wind):
    arg = 2 * math.pi * t[:, None] / PERIODS
    return torch.cat([torch.cos(arg), torch.sin(arg), wind[:, None], wind[:, None] ** 2], 1)


t, wind, level = gauge(2500)
x = features(t, wind)

net = nn.Sequential(nn.Linear(10, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
opt = torch.optim.Adam(net.parameters(), lr=5e-3)

window = []
outs = []
report_mean = None
report_best = None
best_step = -1
previous_mean = None

for step in range(STEPS):
    idx = torch.randint(0, len(x), (40,))
    pred = net(x[idx]).squeeze(1)
    err = pred - level[idx]
    loss = nn.functional.huber_loss(pred, level[idx], delta=0.5)
    opt.zero_grad()
    loss.backward()
    opt.step()

    window.append(loss)
    outs.append(err.abs().max())

    if len(window) == REPORT_EVERY:
        losses = torch.stack(window)
        worst = torch.stack(outs)
        previous_mean = report_mean
        report_mean = losses.mean()
        report_best, where = losses.min(0)
        best_step = step - REPORT_EVERY + 1 + int(where)
        spread = torch.quantile(losses, torch.tensor([0.1, 0.9]))
        print(f"{step + 1:4d}  mean {report_mean:.4f}  best {report_best:.4f} @{best_step}"
              f"  10-90% {spread[0]:.4f}-{spread[1]:.4f}  worst residual {worst.max():.2f} m")
        if previous_mean is not None and report_mean > 0.98 * previous_mean:
            for g in opt.param_groups:
                g["lr"] *= 0.7
        window = []
        outs = []

print(f"last report: {report_mean:.4f} best {report_best:.4f} at step {best_step}")
