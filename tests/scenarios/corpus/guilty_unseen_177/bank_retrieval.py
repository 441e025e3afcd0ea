# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
"""Instance discrimination for ceramic shards with a bank of past codes. The
bank is refreshed after a few warm-up iterations."""
import torch
from torch import nn
from torch.nn import functional as F

SHARDS, DIM, CODE = 240, 18, 12
WARMUP = 20


class Bank:
    def __init__(self, rows, width, blend):
        self.codes = F.normalize(torch.randn(rows, width), dim=1)
        self.blend = blend
        self.updates = 0

    def scores(self, query, temperature):
        return query @ self.codes.t() / temperature

    @torch.no_grad()
    def refresh(self, index, query):
        mixed = self.blend * self.codes[index] + (1 - self.blend) * query
        self.codes.index_copy_(0, index, F.normalize(mixed, dim=1))  # <- culprit
        self.updates += 1


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(DIM, 48), nn.Hardswish(), nn.Linear(48, CODE))

    def forward(self, x):
        return F.normalize(self.body(x), dim=1)


class Discriminator:
    def __init__(self):
        self.encoder = Encoder()
        self.bank = Bank(SHARDS, CODE, blend=0.5)
        self.opt = torch.optim.SGD(self.encoder.parameters(), lr=0.05, momentum=0.9)

    def objective(self, it, index, view):
        query = self.encoder(view)
        loss = F.cross_entropy(self.bank.scores(query, 0.2), index)
        if it >= WARMUP:
            self.bank.refresh(index, query)  # <- culprit
        return loss

    def step(self, it, index, view):
        loss = self.objective(it, index, view)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def views(gen):
    shards = torch.randn(SHARDS, DIM, generator=gen)
    while True:
        index = torch.randperm(SHARDS, generator=gen)[:32]
        jitter = 0.2 * torch.randn(32, DIM, generator=gen)
        yield index, shards[index] + jitter


def main(iterations=500):
    torch.manual_seed(53)
    trainer = Discriminator()
    stream = views(torch.Generator().manual_seed(54))
    mean = None
    for it in range(iterations):
        index, view = next(stream)
        value = trainer.step(it, index, view)
        mean = value if mean is None else 0.95 * mean + 0.05 * value
        if it % 10 == 9:
            print(f"{it + 1} loss {mean:.4f} refreshed {trainer.bank.updates}")


if __name__ == "__main__":
    main()
