# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
# notice: 8
# Day-ahead electric load forecasting with a GRU: one week of hourly history plus
# temperature in, the next 24 hours out.  Synthetic feeder with daily/weekly rhythm.
import math

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.set_num_threads(1)
torch.manual_seed(2024)

HIST, AHEAD = 72, 24
N_DAYS = 330
EPOCHS = 8
BATCH = 12


def make_feeder(days):
    h = torch.arange(days * 24, dtype=torch.float32)
    season = 6 * torch.sin(2 * math.pi * h / (24 * 365))
    temp = 12 + season + 4 * torch.sin(2 * math.pi * (h - 9) / 24) + torch.randn(len(h))
    daily = 0.9 * torch.sin(2 * math.pi * (h - 7) / 24) + 0.4 * torch.sin(4 * math.pi * h / 24)
    weekend = ((h // 24) % 7 >= 5).float()
    load = 5 + daily - 0.7 * weekend + 0.04 * (18 - temp).clamp_min(0) + 0.1 * torch.randn(len(h))
    return load, temp, weekend


def windows(load, temp, weekend):
    load = (load - load.mean()) / load.std()
    temp = (temp - temp.mean()) / temp.std()
    xs, ys = [], []
    for start in range(0, len(load) - HIST - AHEAD + 1, 24):
        past = slice(start, start + HIST)
        fut = slice(start + HIST, start + HIST + AHEAD)
        xs.append(torch.stack([load[past], temp[past], weekend[past]], dim=1))
        ys.append(load[fut])
    return torch.stack(xs), torch.stack(ys)


class Forecaster(nn.Module):
    def __init__(self, n_in=3, hidden=24):
        super().__init__()
        self.fold = 6  # six hours per recurrent step keeps the sequence short
        self.gru = nn.GRU(n_in * self.fold, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Linear(hidden, 32), nn.Tanh(), nn.Linear(32, AHEAD))

    def forward(self, x):
        b, t, c = x.shape
        seq = x.reshape(b, t // self.fold, c * self.fold)
        _, last = self.gru(seq)
        return self.head(last[-1])


def pinball(pred, target, q=0.5):
    d = target - pred
    return torch.maximum(q * d, (q - 1) * d).mean()


x, y = windows(*make_feeder(N_DAYS))
split = int(0.85 * len(x))
train = DataLoader(TensorDataset(x[:split], y[:split]), batch_size=BATCH, shuffle=True)
x_val, y_val = x[split:], y[split:]

model = Forecaster()
optimizer = torch.optim.RMSprop(model.parameters(), lr=1e-3)
best = float("inf")

for epoch in range(EPOCHS):
    model.train()
    running = 0.0
    optimizer.zero_grad()  # <- culprit
    for xb, yb in train:
        pred = model(xb)
        loss = pinball(pred, yb)
        loss.backward()  # <- culprit
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()  # <- culprit
        running += loss.item()

    model.eval()
    with torch.no_grad():
        p = model(x_val)
        val = pinball(p, y_val).item()
        mape = ((p - y_val).abs() / (y_val.abs() + 1)).mean().item()
    best = min(best, val)
    print(f"epoch {epoch}: train {running / len(train):.4f}  val {val:.4f}  rel {mape:.3f}  best {best:.4f}")
