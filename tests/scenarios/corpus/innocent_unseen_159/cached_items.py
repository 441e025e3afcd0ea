# gradwatch-corpus: kind=none
"""Two objectives on one cached item table; the table is dropped after every step."""
from functools import cached_property, wraps

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(26)


def fresh(*names):
    """After the call the named cached attributes are built anew."""
    def deco(fn):
        @wraps(fn)
        def inner(self, *a, **kw):
            try:
                return fn(self, *a, **kw)
            finally:
                for n in names:
                    self.catalog.__dict__.pop(n, None)
        return inner
    return deco


class Catalog(nn.Module):
    def __init__(self, n=60, d=16, tags=8):
        super().__init__()
        self.emb = nn.Embedding(n, d)
        self.tag = nn.Linear(d, tags)
        self.mix = nn.Linear(d, d)
        self.register_buffer("truth", torch.randint(tags, (n,)))

    @cached_property
    def table(self):
        return F.normalize(self.mix(self.emb.weight), dim=-1)

    @cached_property
    def norms(self):
        return self.emb.weight.norm(dim=-1)


class Trainer:
    def __init__(self, users=40):
        self.catalog, self.users = Catalog(), nn.Embedding(users, 16)
        self.main = torch.optim.Adam([*self.users.parameters(), *self.catalog.parameters()], lr=8e-3)
        self.seen = {"rank": [], "tags": []}

    def rank(self, u, i):
        return F.cross_entropy(4.0 * self.users(u) @ self.catalog.table.T, i)

    def tags(self):
        c = self.catalog
        return F.cross_entropy(c.tag(c.table), c.truth) + 1e-3 * c.norms.mean()

    def _note(self, **kw):
        for k, v in kw.items():
            self.seen[k].append(v.item())

    @fresh("table", "norms")
    def step(self, u, i):
        self.main.zero_grad()
        a = self.rank(u, i)
        a.backward(retain_graph=True)
        before = self.catalog.mix.weight.grad.norm().item()
        b = self.tags()
        (0.3 * b if before > 1e-3 else b).backward()
        self.main.step()
        self._note(rank=a, tags=b)


def views(n, users=40, items=60):
    home = torch.randint(items, (users,))
    for _ in range(n):
        u = torch.randint(users, (32,))
        yield u, (home[u] + torch.randint(0, 4, (32,))) % items


def main():
    tr = Trainer()
    for k, (u, i) in enumerate(views(100)):
        tr.step(u, i)
        if k % 25 == 24:
            print(k, {n: round(sum(v[-25:]) / 25, 4) for n, v in tr.seen.items()})


if __name__ == "__main__":
    main()
