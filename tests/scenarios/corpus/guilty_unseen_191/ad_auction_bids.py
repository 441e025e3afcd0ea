# gradwatch-corpus: kind=graph-held
# holder: self._held | leases._held | table._held
# first-bad: 1
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Lease:
    owner: str
    payload: torch.Tensor
    expires: int


class LeaseTable:
    def __init__(self, ttl):
        self.ttl = ttl
        self.now = 0
        self._held = {}

    def tick(self):
        self.now += 1

    def acquire(self, key, owner, payload):
        current = self._held.get(key)
        if current is not None and current.expires > self.now:
            raise KeyError(f"{key} leased by {current.owner}")
        self._held[key] = Lease(owner, payload, self.now + self.ttl)  # <- culprit

    def peek(self, key):
        lease = self._held.get(key)
        if lease is None:
            return None
        if lease.expires <= self.now:
            del self._held[key]
            return None
        return lease.payload


class BidModel(nn.Module):
    def __init__(self, feats=20):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(feats, 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU())
        self.mu = nn.Linear(64, 1)
        self.log_sigma = nn.Linear(64, 1)

    def forward(self, x):
        z = self.trunk(x)
        return self.mu(z).squeeze(-1), self.log_sigma(z).squeeze(-1).clamp(-3, 2)


def auctions(seed, feats):
    gen = torch.Generator().manual_seed(seed)
    w = torch.randn(feats, generator=gen)
    while True:
        x = torch.randn(64, feats, generator=gen)
        price = 0.5 * (x @ w) + 0.2 * torch.randn(64, generator=gen)
        yield x, price


def main(rounds=500, settle_after=6):
    torch.manual_seed(41)
    model = BidModel()
    opt = torch.optim.Adam(model.parameters(), lr=2e-3)
    leases = LeaseTable(ttl=10)
    settled = 0.0
    source = auctions(42, 20)
    for r in range(rounds):
        x, price = next(source)
        mu, log_sigma = model(x)
        nll = F.gaussian_nll_loss(mu, price, (2 * log_sigma).exp())
        opt.zero_grad()
        nll.backward()
        opt.step()
        leases.acquire(f"auction-{r:06d}", "trainer", mu)  # <- culprit
        due = leases.peek(f"auction-{r - settle_after:06d}")
        if due is not None:
            settled = 0.98 * settled + 0.02 * due.mean().item()
        leases.tick()
        if r % 100 == 0:
            print(f"round {r:4d} nll {nll.item():+.4f} settled {settled:+.4f}")


if __name__ == "__main__":
    main()
