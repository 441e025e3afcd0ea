# gradwatch-corpus: kind=none
import logging
import logging.handlers
import sys

import torch
from torch import nn

log = logging.getLogger("ranker")


class ListTarget(logging.Handler):
    """Where the buffering handler flushes to; keeps all the records for the final table."""

    def __init__(self):
        super().__init__()
        self.kept = []

    def emit(self, record):
        self.kept.append(record)

    def table(self, every):
        for rec in self.kept[::every]:
            step, loss, margin = rec.args
            yield f"{step:5d} {loss:9.4f} {margin:9.4f}"


def setup(capacity=40):
    target = ListTarget()
    buffered = logging.handlers.MemoryHandler(capacity, flushLevel=logging.ERROR, target=target)
    log.setLevel(logging.DEBUG)
    log.propagate = False
    log.addHandler(buffered)
    return buffered, target


class TwoTower(nn.Module):
    def __init__(self, users=60, items=90, dim=16):
        super().__init__()
        self.user = nn.Embedding(users, dim)
        self.item = nn.Embedding(items, dim)
        self.mix = nn.Sequential(nn.Linear(dim, dim), nn.Tanh())

    def forward(self, u, i):
        return (self.mix(self.user(u)) * self.mix(self.item(i))).sum(-1)


def triples(n, batch=48, seed=13):
    g = torch.Generator().manual_seed(seed)
    taste = torch.randn(60, 4, generator=g)
    kind = torch.randn(90, 4, generator=g)
    for _ in range(n):
        u = torch.randint(0, 60, (batch,), generator=g)
        a, b = torch.randint(0, 90, (2, batch), generator=g)
        swap = (taste[u] * kind[a]).sum(-1) < (taste[u] * kind[b]).sum(-1)
        yield u, torch.where(swap, b, a), torch.where(swap, a, b)


def main(steps=160):
    torch.manual_seed(0)
    buffered, target = setup()
    model = TwoTower()
    opt = torch.optim.Adam(model.parameters(), lr=1e-2)
    for step, (u, pos, neg) in enumerate(triples(steps)):
        margin = model(u, pos) - model(u, neg)
        loss = nn.functional.softplus(-margin).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        log.debug("step %d loss %.4f margin %.4f", step, loss.item(), margin.detach().mean().item())
    buffered.close()
    print(f"{len(target.kept)} records")
    print(*target.table(every=40), sep="\n", file=sys.stdout)


if __name__ == "__main__":
    main()
