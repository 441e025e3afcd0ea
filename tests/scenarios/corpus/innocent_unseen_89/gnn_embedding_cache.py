# gradwatch-corpus: kind=none
"""Node classification on a synthetic citation graph with historical embeddings.

Neighbours outside of the mini-batch are represented by what the encoder last said about them. The cache is
bounded in entries and in age; nodes that are asked for stay longer.
"""
from collections import OrderedDict

import torch
import torch.nn as nn

NODES, FEATS, CLASSES = 240, 12, 4


class EmbeddingCache:
    def __init__(self, capacity, max_age):
        self.capacity = capacity
        self.max_age = max_age
        self._rows = OrderedDict()
        self.hits = self.misses = self.evicted = 0

    def __len__(self):
        return len(self._rows)

    def put(self, node, row, now):
        self._rows.pop(node, None)
        self._rows[node] = (row, now)
        while len(self._rows) > self.capacity:
            self._rows.popitem(last=False)
            self.evicted += 1

    def get(self, node, now):
        found = self._rows.get(node)
        if found is None or now - found[1] > self.max_age:
            self._rows.pop(node, None)
            self.misses += 1
            return None
        self._rows.move_to_end(node)
        self.hits += 1
        return found[0]

    def sweep(self, now):
        stale = [n for n, (_, born) in self._rows.items() if now - born > self.max_age]
        for n in stale:
            del self._rows[n]


class Citations:
    def __init__(self):
        self.label = torch.randint(0, CLASSES, (NODES,))
        self.x = 0.5 * torch.randn(CLASSES, FEATS)[self.label] + torch.randn(NODES, FEATS)
        same = (self.label[:, None] == self.label[None]).float()
        link = torch.rand(NODES, NODES) < 0.02 + 0.05 * same
        self.neighbours = [[j for j in row.nonzero().flatten().tolist() if j != i] for i, row in enumerate(link)]


class TwoHop(nn.Module):
    def __init__(self, dim=20):
        super().__init__()
        self.dim = dim
        self.encode = nn.Sequential(nn.Linear(FEATS, dim), nn.ELU(), nn.Linear(dim, dim))
        self.head = nn.Linear(2 * dim, CLASSES)

    def forward(self, data, nodes, cache, now):
        own = self.encode(data.x[nodes])
        context = []
        for n in nodes.tolist():
            rows = [cache.get(m, now) for m in data.neighbours[n]]
            rows = [r.detach() for r in rows if r is not None]
            context.append(torch.stack(rows).mean(0) if rows else torch.zeros(self.dim))
        for n, row in zip(nodes.tolist(), own.unbind(0)):
            cache.put(n, row, now)
        return self.head(torch.cat([own, torch.stack(context)], 1))


def main():
    torch.set_num_threads(1)
    torch.manual_seed(2024)
    data = Citations()
    model = TwoHop()
    opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=1e-3)
    cache = EmbeddingCache(capacity=160, max_age=45)
    right = seen = 0
    for it in range(420):
        nodes = torch.randperm(NODES)[:6]
        out = model(data, nodes, cache, it)
        loss = nn.functional.cross_entropy(out, data.label[nodes])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 15 == 0:
            cache.sweep(it)
        right += int((out.argmax(1) == data.label[nodes]).sum())
        seen += len(nodes)
        if (it + 1) % 70 == 0:
            rate = cache.hits / max(cache.hits + cache.misses, 1)
            print(f"it {it + 1}: acc {right / seen:.3f}, cached {len(cache)}, hit rate {rate:.2f}, evicted {cache.evicted}")
            right = seen = 0


if __name__ == "__main__":
    main()
