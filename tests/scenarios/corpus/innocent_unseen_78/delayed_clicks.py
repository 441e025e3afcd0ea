# gradwatch-corpus: kind=none
"""Click model trained on feedback that arrives several rounds after the impression."""
from collections import defaultdict
from typing import Dict, List, NamedTuple

import torch
import torch.nn.functional as F
from torch import nn


class Impression(NamedTuple):
    round: int
    logits: torch.Tensor
    clicks: torch.Tensor


class ClickModel(nn.Module):
    """Purely additive: popularity + user bias + context."""

    def __init__(self, users: int, ads: int, ctx: int) -> None:
        super().__init__()
        self.user = nn.Embedding(users, 1)
        self.ad = nn.Embedding(ads, 1)
        self.ctx = nn.Linear(ctx, 1)
        nn.init.zeros_(self.user.weight)
        nn.init.zeros_(self.ad.weight)

    def forward(self, u: torch.Tensor, a: torch.Tensor, c: torch.Tensor) -> torch.Tensor:
        return (self.user(u) + self.ad(a) + self.ctx(c)).squeeze(-1)


class FeedbackDesk:
    """Impressions wait here until their clicks have come in."""

    def __init__(self, first: int, longest: int, every: int) -> None:
        self.waiting: Dict[int, List[Impression]] = defaultdict(list)
        self.first, self.longest, self.every = first, longest, every
        self.lag_sum, self.lag_n = 0, 0

    def delay(self, rnd: int) -> int:
        return min(self.longest, self.first + rnd // self.every)

    def post(self, imp: Impression) -> None:
        self.waiting[imp.round + self.delay(imp.round)].append(imp)

    def due(self, rnd: int) -> List[Impression]:
        ready = self.waiting.pop(rnd, [])
        for imp in ready:
            self.lag_sum += rnd - imp.round
            self.lag_n += 1
        return ready

    def __len__(self) -> int:
        return sum(len(v) for v in self.waiting.values())


class World:
    def __init__(self, users: int, ads: int, ctx: int) -> None:
        self.u = torch.randn(users)
        self.a = torch.randn(ads)
        self.w = torch.randn(ctx)

    def draw(self, n: int):
        u = torch.randint(len(self.u), (n,))
        a = torch.randint(len(self.a), (n,))
        c = torch.randn(n, len(self.w))
        p = torch.sigmoid(self.u[u] + self.a[a] + c @ self.w)
        return u, a, c, torch.bernoulli(p)


def main() -> None:
    torch.set_num_threads(1)
    torch.manual_seed(5)
    world = World(50, 40, 6)
    model = ClickModel(50, 40, 6)
    opt = torch.optim.Adagrad(model.parameters(), lr=0.2)
    desk = FeedbackDesk(first=2, longest=6, every=30)
    recent = []
    for rnd in range(260):
        u, a, c, clicks = world.draw(64)
        desk.post(Impression(rnd, model(u, a, c), clicks))
        ready = desk.due(rnd)
        if not ready:
            continue
        loss = torch.stack([F.binary_cross_entropy_with_logits(i.logits, i.clicks) for i in ready]).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        recent = (recent + [loss.detach()])[-40:]
        if rnd % 40 == 39:
            print(f"{rnd + 1:4d} loss {torch.stack(recent).mean():.4f} waiting {len(desk)} lag {desk.lag_sum / desk.lag_n:.1f}")


if __name__ == "__main__":
    main()
