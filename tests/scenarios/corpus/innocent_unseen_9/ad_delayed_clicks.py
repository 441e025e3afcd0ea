# gradwatch-corpus: kind=none
# about: log-probabilities wait with live graphs in a ring of slots for conversions that arrive up to 11 decisions later; each is used once, before the step
"""Ad placement with conversions that arrive late: decisions are made one visitor at a time, the policy is stepped when a block is settled."""
import random
from dataclasses import dataclass
from typing import Optional

import torch
from torch import nn

DELAY_MAX = 11
BLOCK = 12


@dataclass(slots=True)
class Pending:
    logp: torch.Tensor
    ent: torch.Tensor
    ad: int
    paid: Optional[float] = None


class Traffic:
    def __init__(self, n_ads, seed):
        self.rnd = random.Random(seed)
        self.taste = torch.randn(n_ads, 10, generator=torch.Generator().manual_seed(seed))
        self.due = {}

    def visitor(self):
        return torch.tensor([self.rnd.gauss(0, 1) for _ in range(10)])

    def place(self, ticket, who, ad, now):
        p = torch.sigmoid(self.taste[ad] @ who).item()
        when = now + self.rnd.randint(1, DELAY_MAX)
        self.due.setdefault(when, []).append((ticket, float(self.rnd.random() < p)))

    def arrivals(self, now):
        return self.due.pop(now, [])


class Server:
    def __init__(self, n_ads):
        self.policy = nn.Sequential(nn.Linear(10, 48), nn.GELU(), nn.Linear(48, n_ads))
        self.slots = [None] * 24
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=6e-3)
        self.mean_pay = 0.5

    def decide(self, ticket, who):
        d = torch.distributions.Categorical(logits=self.policy(who))
        ad = d.sample()
        self.slots[ticket % len(self.slots)] = Pending(d.log_prob(ad), d.entropy(), int(ad))
        return int(ad)

    def settle(self, arrivals):
        for ticket, paid in arrivals:
            self.slots[ticket % len(self.slots)].paid = paid

    def update(self, first):
        block = [self.slots[(first + j) % len(self.slots)] for j in range(BLOCK)]
        self.opt.zero_grad()
        obj = 0.0
        for p in block:
            obj = obj - p.logp * (p.paid - self.mean_pay) - 0.02 * p.ent
        (obj / BLOCK).backward()
        self.opt.step()
        got = sum(p.paid for p in block) / BLOCK
        self.mean_pay += 0.02 * (got - self.mean_pay)
        return got


if __name__ == "__main__":
    torch.manual_seed(31)
    traffic, server = Traffic(6, 31), Server(6)
    clock, ticket, trail = 0, 0, []
    for update in range(300):
        first = ticket
        for _ in range(BLOCK):
            who = traffic.visitor()
            traffic.place(ticket, who, server.decide(ticket, who), clock)
            ticket += 1
            clock += 1
            server.settle(traffic.arrivals(clock))
        for _ in range(DELAY_MAX):          # closing time: wait for the rest of the block
            clock += 1
            server.settle(traffic.arrivals(clock))
        trail.append(server.update(first))
        if update % 50 == 49:
            print(f"block {update + 1} conversion {sum(trail[-50:]) / 50:.3f}")
