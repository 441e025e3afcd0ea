# gradwatch-corpus: kind=graph-held
# holder: hub.inflight | self.inflight
# first-bad: 1
"""Toy federated learning: one coordinator, several hospitals, reports are sent by an asyncio 'network'."""
import asyncio
import random
from dataclasses import dataclass, field

import torch
from torch import nn


@dataclass
class Site:
    name: str
    bias: float
    gen: torch.Generator = field(default=None)

    def draw(self, n):
        x = torch.randn(n, 12, generator=self.gen) + self.bias
        y = (x[:, :4].sum(1) - x[:, 4:8].sum(1) + 0.3 * torch.randn(n, generator=self.gen) > 0).float()
        return x, y


class Hub:
    def __init__(self, sites, rounds):
        self.sites, self.rounds = sites, rounds
        self.risk = nn.Sequential(nn.Linear(12, 96), nn.Tanh(), nn.Linear(96, 48), nn.Tanh(), nn.Linear(48, 1))
        self.server_opt = torch.optim.AdamW(self.risk.parameters(), lr=3e-3)
        self.inflight = set()
        self.board = {s.name: 0.0 for s in sites}

    async def report(self, site, nll):
        await asyncio.sleep(random.random() * 1e-3)
        self.board[site.name] = 0.9 * self.board[site.name] + 0.1 * nll.item()
        return site.name, nll  # <- culprit

    def send(self, site, nll):
        # a strong reference is needed or the event loop may drop the task midway (see the asyncio docs)
        t = asyncio.create_task(self.report(site, nll))
        self.inflight.add(t)  # <- culprit

    async def one_round(self, r):
        chosen = random.sample(self.sites, 3)
        self.server_opt.zero_grad()
        for s in chosen:
            x, y = s.draw(64)
            nll = nn.functional.binary_cross_entropy_with_logits(self.risk(x).squeeze(-1), y)
            (nll / len(chosen)).backward()
            self.send(s, nll)  # <- culprit
        self.server_opt.step()
        await asyncio.sleep(0)

    async def run(self):
        for r in range(self.rounds):
            await self.one_round(r)
            if (r + 1) % 60 == 0:
                late = sum(not t.done() for t in self.inflight)
                print(f"round {r + 1}: " + " ".join(f"{k}={v:.3f}" for k, v in self.board.items()), f"late={late}")
        done, _ = await asyncio.wait(self.inflight)
        print("reports received:", len(done))


def main():
    random.seed(3)
    torch.manual_seed(3)
    sites = [Site(n, b, torch.Generator().manual_seed(i))
             for i, (n, b) in enumerate([("north", -0.2), ("south", 0.1), ("lake", 0.0), ("hill", 0.3), ("port", -0.1)])]
    hub = Hub(sites, rounds=320)
    asyncio.run(hub.run())


if __name__ == "__main__":
    main()
