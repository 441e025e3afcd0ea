# gradwatch-corpus: kind=none
"""Continuous glucose monitors: truncated BPTT over 8-step chunks, state carried over the whole day."""
import torch
import torch.nn as nn

torch.manual_seed(52)

PATIENTS = 20
DAY = 288
CHUNK = 8
DAYS = 3
globals_log = {"day": [], "mse": []}


def simulate_day():
    t = torch.arange(DAY + 1).float() / DAY
    meals = sum(torch.exp(-((t - m) / 0.04) ** 2) for m in (0.3, 0.52, 0.78))
    person = 0.5 + torch.rand(PATIENTS, 1)
    return person * meals + 0.05 * torch.randn(PATIENTS, DAY + 1).cumsum(1) * 0.3


class StepLSTM(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.cell = nn.LSTMCell(1, hidden)
        self.out = nn.Linear(hidden, 1)
        self.hidden = hidden

    def start(self, n):
        return torch.zeros(n, self.hidden), torch.zeros(n, self.hidden)

    def forward(self, g, state):
        h, c = self.cell(g, state)
        return g + self.out(h), (h, c)


def repackage(state):
    return tuple(s.detach() for s in state)


def train_day(model, opt, series):
    state = model.start(PATIENTS)
    day_loss = 0.0
    chunk_losses = []
    for t in range(DAY):
        pred, state = model(series[:, t:t + 1], state)
        chunk_losses.append((pred - series[:, t + 1:t + 2]).pow(2).mean())
        if len(chunk_losses) == CHUNK:
            loss = torch.stack(chunk_losses).mean()
            opt.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            opt.step()
            day_loss += loss.item()
            state = repackage(state)
            chunk_losses.clear()
    return day_loss / (DAY // CHUNK)


model = StepLSTM()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
for day in range(DAYS):
    mse = train_day(model, opt, simulate_day())
    globals_log["day"].append(day)
    globals_log["mse"].append(mse)
    print(f"day {day}: one-step mse {mse:.5f}")
