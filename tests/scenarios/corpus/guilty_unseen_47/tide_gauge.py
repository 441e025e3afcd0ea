# gradwatch-corpus: kind=second-backward
# holder: state | state[1] | memory
# first-bad: 1
"""Stateful LSTM over a long tide record, truncated windows."""
import math

import torch
from torch import nn

WINDOW = 16
STATIONS = 8
EPOCHS = 3
HOURS = 30 * WINDOW + 1


def record(hours, stations, gen):
    t = torch.arange(hours, dtype=torch.float32)
    rows = []
    for _ in range(stations):
        phase = torch.rand(3, generator=gen) * 2 * math.pi
        level = (torch.sin(2 * math.pi * t / 12.42 + phase[0])
                 + 0.4 * torch.sin(2 * math.pi * t / 24.0 + phase[1])
                 + 0.2 * torch.sin(2 * math.pi * t / 327.9 + phase[2]))
        rows.append(level + 0.05 * torch.randn(hours, generator=gen))
    return torch.stack(rows).unsqueeze(-1)


class GaugeModel(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.hidden = hidden
        self.cell = nn.LSTM(1, hidden, batch_first=True)
        self.readout = nn.Linear(hidden, 1)

    def blank(self, batch):
        z = torch.zeros(1, batch, self.hidden)
        return z, z.clone()

    def forward(self, x, state):
        out, (hidden, memory) = self.cell(x, state)
        return self.readout(out), (hidden.detach(), memory)  # <- culprit


def windows(series, size):
    for start in range(0, series.shape[1] - size, size):
        yield series[:, start:start + size], series[:, start + 1:start + size + 1]


def fit(model, series):
    opt = torch.optim.Adam(model.parameters(), lr=5e-3)
    sched = torch.optim.lr_scheduler.ExponentialLR(opt, 0.8)
    for epoch in range(EPOCHS):
        state = model.blank(series.shape[0])
        running, count = 0.0, 0
        for x, target in windows(series, WINDOW):
            guess, state = model(x, state)  # <- culprit
            loss = nn.functional.smooth_l1_loss(guess, target)
            opt.zero_grad(set_to_none=True)
            loss.backward()  # <- culprit
            nn.utils.clip_grad_norm_(model.parameters(), 0.5)
            opt.step()
            running += loss.item()
            count += 1
        sched.step()
        print(f"epoch {epoch}  loss {running / count:.5f}  lr {sched.get_last_lr()[0]:.4f}")


if __name__ == "__main__":
    torch.manual_seed(21)
    gen = torch.Generator().manual_seed(21)
    tide = record(HOURS, STATIONS, gen)
    print("record", tuple(tide.shape))
    fit(GaugeModel(), tide)
