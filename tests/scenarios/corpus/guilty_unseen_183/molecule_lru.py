# gradwatch-corpus: kind=graph-held
# holder: self.index | cache.index
# first-bad: 1
# notice: 90
"""Graph network on random molecules; atom embeddings are kept in a small LRU for the viewer."""
import torch
from torch import nn
import torch.nn.functional as F


class Link:
    __slots__ = ("key", "value", "before", "after")

    def __init__(self, key=None, value=None):
        self.key, self.value = key, value
        self.before = self.after = None


class EmbeddingLRU:
    def __init__(self, limit):
        self.limit = limit
        self.size = 0
        self.index = {}
        self.front, self.back = Link(), Link()
        self.front.after, self.back.before = self.back, self.front

    def _insert(self, link):
        link.before, link.after = self.front, self.front.after
        link.after.before = link
        self.front.after = link
        self.size += 1

    def _remove(self, link):
        link.before.after = link.after
        link.after.before = link.before
        link.before = link.after = None
        self.size -= 1

    def get(self, key):
        link = self.index.get(key)
        if link is None or link.before is None:
            return None
        self._remove(link)
        self._insert(link)
        return link.value

    def put(self, key, value):
        link = self.index[key] = Link(key, value)  # <- culprit
        self._insert(link)
        while self.size > self.limit:
            self._remove(self.back.before)  # <- culprit


class MessageNet(nn.Module):
    def __init__(self, kinds=5, dim=16, rounds=3):
        super().__init__()
        self.atom = nn.Embedding(kinds, dim)
        self.msg = nn.Linear(dim, dim)
        self.upd = nn.GRUCell(dim, dim)
        self.out = nn.Linear(dim, 1)
        self.rounds = rounds

    def forward(self, kinds, adj):
        h = self.atom(kinds)
        for _ in range(self.rounds):
            h = self.upd(adj @ self.msg(h), h)
        return h, self.out(h.sum(0))


class Molecules:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.serial = 0

    def __next__(self):
        n = int(torch.randint(5, 14, (1,), generator=self.gen))
        kinds = torch.randint(5, (n,), generator=self.gen)
        upper = torch.triu((torch.rand(n, n, generator=self.gen) < 0.3).float(), 1)
        adj = upper + upper.t()
        energy = 0.2 * kinds.float().sum() - 0.1 * adj.sum()
        self.serial += 1
        return f"mol-{self.serial:05d}", kinds, adj, energy.reshape(1)


def main(steps=420):
    torch.manual_seed(88)
    source, net = Molecules(88), MessageNet()
    opt = torch.optim.Adam(net.parameters(), lr=3e-3)
    cache = EmbeddingLRU(limit=32)
    last = None
    for step in range(steps):
        name, kinds, adj, energy = next(source)
        atoms, pred = net(kinds, adj)
        loss = F.smooth_l1_loss(pred, energy)
        opt.zero_grad()
        loss.backward()
        opt.step()
        cache.put(name, atoms)
        if step % 70 == 69:
            shown = cache.get(last) if last else None
            spread = shown.std().item() if shown is not None else float("nan")
            print(f"{step + 1} loss {loss.item():.4f} cached {cache.size} spread {spread:.3f}")
        if step % 70 == 60:
            last = name


if __name__ == "__main__":
    main()
