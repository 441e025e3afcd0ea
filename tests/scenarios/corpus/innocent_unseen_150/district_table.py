# gradwatch-corpus: kind=none
"""Traffic demand by district; the table of district embeddings is refreshed one district at a time."""
import torch
from torch import nn

torch.manual_seed(14)
torch.set_num_threads(1)

N = 24


class DistrictTable:
    """Latest embedding of each district, for the neighbours' sake."""

    def __init__(self, n):
        self.rows = [None] * n

    def refresh(self, i, row):
        self.rows[i] = row

    def around(self, i, reach=3):
        near = [self.rows[(i + d) % N] for d in range(-reach, reach + 1) if d]
        near = [r for r in near if r is not None]
        return torch.stack(near).mean(0) if near else None


class Demand(nn.Module):
    def __init__(self, n_in=7, width=10):
        super().__init__()
        self.embed = nn.Linear(n_in, width)
        self.own = nn.Linear(width, 1)

    def forward(self, x, around):
        row = torch.tanh(self.embed(x))
        mixed = row if around is None else 0.7 * row + 0.3 * around
        return row, self.own(mixed)


def observe(i, t):
    x = torch.cat([torch.tensor([i / N, (t % 24) / 24.0]), torch.randn(5)])
    return x, torch.sin(x[:1] * 6) + 0.3 * x[2:3]


model, table = Demand(), DistrictTable(N)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
running = 0.0
for t in range(220):
    i = t % N
    x, y = observe(i, t)
    row, pred = model(x, table.around(i))
    loss = nn.functional.mse_loss(pred, y)
    opt.zero_grad()
    loss.backward(retain_graph=True)
    opt.step()
    table.refresh(i, row)
    running = 0.95 * running + 0.05 * loss.item()
    if t % 44 == 43:
        print(t, f"{running:.4f}")
