# gradwatch-corpus: kind=none
# about: log-probs are collected in lists on a trainer-owned object, which is cleared after every update
"""REINFORCE with a greedy roll-out baseline for small delivery tours."""
import torch
from torch import nn


class Trip:
    """What happened in one batch of tours; emptied by the trainer."""

    def __init__(self):
        self.logs, self.legs = [], []

    def note(self, logp, leg):
        self.logs.append(logp)
        self.legs.append(leg)

    def clear(self):
        self.logs.clear()
        self.legs.clear()


class Courier(nn.Module):
    def __init__(self, d=32):
        super().__init__()
        self.place = nn.Linear(2, d)
        self.query = nn.Linear(2 * d, d)

    def walk(self, towns, trip, greedy=False):
        emb = self.place(towns).tanh()
        b, n, _ = towns.shape
        free = torch.ones(b, n, dtype=torch.bool)
        rows = torch.arange(b)
        here = torch.zeros(b, dtype=torch.long)
        free[:, 0] = False
        for _ in range(n - 1):
            q = self.query(torch.cat([emb[rows, here], emb.mean(1)], 1))
            lp = (emb @ q[:, :, None]).squeeze(2).masked_fill(~free, -1e9).log_softmax(1)
            nxt = lp.argmax(1) if greedy else lp.exp().multinomial(1).squeeze(1)
            trip.note(lp[rows, nxt], (towns[rows, nxt] - towns[rows, here]).norm(dim=1))
            here, free = nxt, free.clone().index_put((rows, nxt), torch.tensor(False))
        return trip


class Dispatcher:
    def __init__(self):
        self.courier, self.trip, self.rehearsal = Courier(), Trip(), Trip()
        self.opt = torch.optim.Adam(self.courier.parameters(), lr=2e-3)

    def day(self):
        towns = torch.rand(24, 7, 2)
        self.courier.walk(towns, self.trip)
        with torch.no_grad():
            self.courier.walk(towns, self.rehearsal, greedy=True)
        length = sum(self.trip.legs)
        gain = length - sum(self.rehearsal.legs)
        goal = (gain * sum(self.trip.logs)).mean()
        self.opt.zero_grad()
        goal.backward()
        self.opt.step()
        self.trip.clear()
        self.rehearsal.clear()
        return length.mean().item()


if __name__ == "__main__":
    torch.manual_seed(10)
    boss, kms = Dispatcher(), []
    for d in range(260):
        kms.append(boss.day())
        if d % 52 == 51:
            print(f"day {d + 1} mean tour {sum(kms[-52:]) / 52:.3f}")
