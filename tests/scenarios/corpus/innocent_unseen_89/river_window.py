# gradwatch-corpus: kind=none
"""Streamflow forecasting with an MLP.

The monitor looks at the last fortnight of losses, and at the last fortnight of what it made of them.
"""
from collections import deque

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(12)

LAGS = 10
FORTNIGHT = 14


class Monitor:
    def __init__(self, span):
        self.recent = deque(maxlen=span)
        self.trends = deque(maxlen=span)
        self.worst = None

    def add(self, loss):
        self.recent.append(loss)
        stack = torch.stack(list(self.recent))
        self.trends.append(stack.mean())
        self.worst = stack.max()

    @property
    def slope(self):
        if len(self.trends) < 2:
            return 0.0
        return (self.trends[-1] - self.trends[0]).item() / (len(self.trends) - 1)


def synth_river(days):
    rain = torch.relu(torch.randn(days) - 0.4) * 3
    flow = torch.zeros(days)
    store = 1.0
    for d in range(days):
        store = 0.93 * store + float(rain[d])
        flow[d] = 0.07 * store + 0.02 * store ** 1.2
    return rain, (flow - flow.mean()) / flow.std()


class FlowNet(nn.Module):
    def __init__(self, lags):
        super().__init__()
        self.body = nn.Sequential(
            nn.Linear(2 * lags, 32),
            nn.ReLU(),
            nn.Linear(32, 16),
            nn.ReLU(),
            nn.Linear(16, 1),
        )

    def forward(self, rain, flow):
        return self.body(torch.cat([rain, flow], dim=1)).squeeze(1)


def windows(rain, flow, starts):
    r = torch.stack([rain[s:s + LAGS] for s in starts])
    f = torch.stack([flow[s:s + LAGS] for s in starts])
    y = torch.stack([flow[s + LAGS] for s in starts])
    return r, f, y


rain, flow = synth_river(1500)
model = FlowNet(LAGS)
opt = torch.optim.AdamW(model.parameters(), lr=2e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, 150, gamma=0.5)
monitor = Monitor(FORTNIGHT)

for day in range(450):
    starts = torch.randint(0, len(flow) - LAGS - 1, (24,)).tolist()
    r, f, y = windows(rain, flow, starts)
    loss = nn.functional.huber_loss(model(r, f), y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sched.step()
    monitor.add(loss)
    if day % 90 == 89:
        print(
            f"day {day + 1}: mean {monitor.trends[-1].item():.4f} "
            f"worst {monitor.worst.item():.4f} slope {monitor.slope:+.5f}"
        )
