# gradwatch-corpus: kind=graph-held
# holder: self.profile | model.profile
# first-bad: 1
# notice: 8
"""Minimal GRU4Rec-ish next-click model. One file, no deps except torch.

Sessions are drawn from a handful of "tastes"; the model predicts the next item.
"""
import itertools

import torch
torch.set_num_threads(1)
from torch import nn

torch.manual_seed(2024)
N_ITEMS, N_TASTES, SESS_LEN = 60, 5, 7
session_ids = itertools.count(10_000)
taste_items = torch.softmax(3 * torch.randn(N_TASTES, N_ITEMS), -1)


def next_sessions(n):
    taste = torch.randint(0, N_TASTES, (n,))
    clicks = torch.multinomial(taste_items[taste], SESS_LEN, replacement=True)
    return [next(session_ids) for _ in range(n)], clicks


class SessionGRU(nn.Module):
    def __init__(self, d=16):
        super().__init__()
        self.items = nn.Embedding(N_ITEMS, d)
        self.gru = nn.GRU(d, d, batch_first=True)
        self.profile = {}

    def remember(self, ids, h):
        for row, sid in enumerate(ids):
            self.profile[sid] = h[0, row]  # <- culprit

    def forward(self, ids, clicks):
        out, h = self.gru(self.items(clicks))
        self.remember(ids, h)
        return out @ self.items.weight.t()

    def spread(self):
        with torch.no_grad():
            m = torch.stack(list(self.profile.values()))
            return m.std(0).mean().item()


model = SessionGRU()
opt = torch.optim.Adagrad(model.parameters(), lr=0.08)
ema = None
for it in range(300):
    ids, clicks = next_sessions(8)
    scores = model(ids, clicks[:, :-1])
    loss = nn.functional.cross_entropy(scores.reshape(-1, N_ITEMS), clicks[:, 1:].reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema = loss.item() if ema is None else 0.97 * ema + 0.03 * loss.item()
    if it % 60 == 59:
        print(f"{it + 1:4d} nll={ema:.3f} known={len(model.profile)} spread={model.spread():.3f}")
