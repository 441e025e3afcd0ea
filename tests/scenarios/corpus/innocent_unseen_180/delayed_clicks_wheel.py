# gradwatch-corpus: kind=none
"""Online CTR with delayed labels: impressions wait on a timing wheel until click or expiry."""
import random

import torch
import torch.nn.functional as F
from torch import nn


class TimeWheel:
    def __init__(self, n_slots):
        self.slots = [dict() for _ in range(n_slots)]
        self.hand = 0

    def schedule(self, delay, key, payload):
        assert 0 < delay < len(self.slots)
        slot = (self.hand + delay) % len(self.slots)
        self.slots[slot][key] = payload
        return slot

    def cancel(self, slot, key):
        return self.slots[slot].pop(key, None)

    def advance(self):
        self.hand = (self.hand + 1) % len(self.slots)
        due, self.slots[self.hand] = self.slots[self.hand], {}
        return due


class Factorizer(nn.Module):
    def __init__(self, users, ads, dim=8):
        super().__init__()
        self.u = nn.Embedding(users, dim)
        self.a = nn.Embedding(ads, dim)
        self.bias = nn.Parameter(torch.zeros(()))

    def forward(self, u, a):
        return (self.u(u) * self.a(a)).sum(-1) + self.bias


class Stream:
    def __init__(self, users, ads, seed):
        self.rng = random.Random(seed)
        g = torch.Generator().manual_seed(seed)
        self.pu = torch.randn(users, 3, generator=g)
        self.pa = torch.randn(ads, 3, generator=g)

    def impressions(self, n):
        u = torch.tensor([self.rng.randrange(len(self.pu)) for _ in range(n)])
        a = torch.tensor([self.rng.randrange(len(self.pa)) for _ in range(n)])
        p = torch.sigmoid((self.pu[u] * self.pa[a]).sum(-1))
        return u, a, torch.bernoulli(p)

    def click_delay(self):
        return min(39, 1 + int(self.rng.expovariate(0.12)))


def main(ticks=700, expiry=40):
    torch.manual_seed(17)
    stream = Stream(40, 30, seed=3)
    model = Factorizer(40, 30)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.05)
    expiries = TimeWheel(expiry + 1)
    clicks = TimeWheel(expiry + 1)
    pending = {}
    settled = expired = 0
    for tick in range(ticks):
        u, a, label = stream.impressions(16)
        logits = model(u, a)
        slot = expiries.schedule(expiry, tick, (logits, label))
        pending[tick] = slot
        if tick % 3 != 0:
            clicks.schedule(stream.click_delay(), tick, None)
        losses = []
        for key in clicks.advance():
            out, y = expiries.cancel(pending.pop(key), key)
            losses.append(F.binary_cross_entropy_with_logits(out, y))
            settled += 1
        for key, (out, y) in expiries.advance().items():
            pending.pop(key)
            losses.append(0.2 * F.binary_cross_entropy_with_logits(out, y * 0.5 + 0.1))
            expired += 1
        if losses:
            total = torch.stack(losses).mean()
            opt.zero_grad()
            total.backward()
            opt.step()
            if tick % 100 < 2:
                print(f"tick {tick} loss {total.item():.3f} waiting {len(pending)} settled {settled} expired {expired}")


if __name__ == "__main__":
    main()
