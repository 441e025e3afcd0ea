# gradwatch-corpus: kind=graph-held
# holder: self.latest | board.latest
# first-bad: 1
import random

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(77)
random.seed(77)

STOPS = ["harbour", "museum", "market", "north gate", "depot", "campus", "arena", "lakeside"]


class DelayModel(nn.Module):
    def __init__(self, n_stops, features=6, dim=12):
        super().__init__()
        self.emb = nn.Embedding(n_stops, dim)
        self.gru = nn.GRUCell(features, dim)
        self.out = nn.Linear(dim, 1)

    def forward(self, stop, series):
        h = self.emb(stop)
        for t in range(series.shape[1]):
            h = self.gru(series[:, t], h)
        return self.out(h).squeeze(-1), h


class DepartureBoard:
    """The last prediction at each stop, one entry a stop."""

    def __init__(self):
        self.latest = {}

    def show(self, stop, minute, delay):
        self.latest.pop(stop, None)  # <- culprit
        self.latest[stop, minute] = delay  # <- culprit

    def worst(self):
        key = max(self.latest, key=lambda k: float(self.latest[k]))
        return key[0], float(self.latest[key])


def simulate(stop_index, batch, length=6):
    series = torch.randn(batch, length, 6)
    rush = series[:, :, 0].mean(1)
    rain = series[:, -1, 1].clamp(min=0)
    delay = 1.5 * rush + 2.0 * rain + 0.3 * stop_index + 0.1 * torch.randn(batch)
    return series, delay


def evaluate(model):
    with torch.no_grad():
        total = 0.0
        for i in range(len(STOPS)):
            series, delay = simulate(i, 32)
            pred, _ = model(torch.full((32,), i), series)
            total += F.l1_loss(pred, delay).item()
    return total / len(STOPS)


model = DelayModel(len(STOPS))
opt = torch.optim.AdamW(model.parameters(), lr=4e-3, weight_decay=1e-4)
board = DepartureBoard()

minute = 0
for trip in range(560):
    minute += random.randint(1, 4)
    i = random.randrange(len(STOPS))
    series, delay = simulate(i, 24)
    pred, _ = model(torch.full((24,), i), series)
    loss = F.smooth_l1_loss(pred, delay)

    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 2.0)
    opt.step()

    board.show(STOPS[i], minute, pred.mean())
    if trip % 100 == 99:
        where, how = board.worst()
        print(f"trip {trip + 1}: mae {evaluate(model):.3f}, worst {where} {how:.2f} min")
