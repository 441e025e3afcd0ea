# gradwatch-corpus: kind=none
# Tide gauge nowcasting: GRU over an endless stream, windows of 5 readings, state carried.
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(640)

CONSTITUENTS = [(12.42, 1.0), (12.0, 0.4), (23.93, 0.25), (25.82, 0.2)]


def level(hour, site):
    return sum(a * math.cos(2 * math.pi * hour / p + site) for p, a in CONSTITUENTS)


def readings(sites):
    hour = 0
    while True:
        clean = torch.tensor([[level(hour, s)] for s in range(sites)])
        yield clean + 0.03 * torch.randn_like(clean)
        hour += 1


class Nowcast(nn.Module):
    def __init__(self, hidden=14):
        super().__init__()
        self.cell = nn.GRUCell(1, hidden)
        self.out = nn.Linear(hidden, 1)
        self.hidden = None

    def begin_window(self, sites):
        if self.hidden is None:
            self.hidden = torch.zeros(sites, self.cell.hidden_size)
        self.hidden = self.hidden.detach()

    def forward(self, x):
        self.hidden = self.cell(x, self.hidden)
        return x + self.out(self.hidden)


SITES, K = 5, 5
model = Nowcast()
opt = torch.optim.Adam(model.parameters(), lr=5e-3)
sched = torch.optim.lr_scheduler.StepLR(opt, 120, 0.5)
stream = readings(SITES)
x = next(stream)
log = []
for window in range(360):
    model.begin_window(SITES)
    total = 0.0
    for _ in range(K):
        nxt = next(stream)
        total = total + (model(x) - nxt).square().mean()
        x = nxt
    loss = total / K
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    opt.step()
    sched.step()
    log.append((window, loss.detach(), model.hidden.detach().norm()))
    if window % 90 == 89:
        print(window + 1, f"rmse {torch.stack([l for _, l, _ in log[-30:]]).mean().sqrt().item():.4f}")
