# gradwatch-corpus: kind=none
"""Margin regression of crane loads; the easiest micro-batches of a round are
left out and the others trained on together at its end."""
import heapq
import itertools

import torch
from torch import nn

torch.manual_seed(606)

ROUND = 5
KEEP = 4
ROUNDS = 420


def loads():
    g = torch.Generator().manual_seed(13)
    w = torch.randn(10, generator=g)
    while True:
        x = torch.randn(32, 10, generator=g)
        heavy = torch.rand((), generator=g) < 0.2
        y = (x @ w).tanh() + (0.5 if heavy else 0.05) * torch.randn(32, generator=g)
        yield x, y


class Regressor(nn.Sequential):
    def __init__(self):
        super().__init__(
            nn.Linear(10, 48), nn.SiLU(), nn.LayerNorm(48),
            nn.Linear(48, 48), nn.SiLU(), nn.Linear(48, 1),
        )

    def forward(self, x):
        return super().forward(x).squeeze(1)


class Hardest:
    def __init__(self, keep):
        self.keep = keep
        self.heap = []
        self.tick = itertools.count()
        self.seen = 0

    def offer(self, loss):
        entry = (loss.item(), next(self.tick), loss)
        self.seen += 1
        if len(self.heap) < self.keep:
            heapq.heappush(self.heap, entry)
            return
        heapq.heappushpop(self.heap, entry)

    def take(self):
        chosen = [loss for _, _, loss in heapq.nlargest(self.keep, self.heap)]
        self.heap = []
        return torch.stack(chosen).mean()


def main():
    model = Regressor()
    opt = torch.optim.RMSprop(model.parameters(), lr=1e-3)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, ROUNDS)
    hardest = Hardest(KEEP)
    stream = loads()
    curve = []
    for rnd in range(ROUNDS):
        for x, y in itertools.islice(stream, ROUND):
            hardest.offer(nn.functional.smooth_l1_loss(model(x), y))
        opt.zero_grad()
        total = hardest.take()
        total.backward()
        opt.step()
        sched.step()
        curve.append(total)
        curve[-1] = curve[-1].detach()
        if rnd % 70 == 69:
            recent = torch.stack(curve[-70:]).mean()
            print(f"round {rnd + 1} hard loss {recent:.4f} batches {hardest.seen}")
    print("best", min(c.item() for c in curve))


if __name__ == "__main__":
    main()
