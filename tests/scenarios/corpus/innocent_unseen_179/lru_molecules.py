# gradwatch-corpus: kind=none
"""Property prediction for small molecules; the last seen encodings sit in an LRU."""
import torch
from torch import nn
import torch.nn.functional as F

torch.manual_seed(31)


class Node:
    __slots__ = ("key", "value", "prev", "next")

    def __init__(self, key=None, value=None):
        self.key, self.value = key, value
        self.prev = self.next = None


class LRU:
    def __init__(self, capacity):
        self.capacity = capacity
        self.table = {}
        self.head, self.tail = Node(), Node()
        self.head.next, self.tail.prev = self.tail, self.head

    def _unlink(self, node):
        node.prev.next, node.next.prev = node.next, node.prev
        node.prev = node.next = None

    def _front(self, node):
        first = self.head.next
        node.prev, node.next = self.head, first
        self.head.next = first.prev = node

    def get(self, key):
        node = self.table.get(key)
        if node is None:
            return None
        self._unlink(node)
        self._front(node)
        return node.value

    def put(self, key, value):
        node = self.table.get(key)
        if node is not None:
            node.value = value
            self._unlink(node)
            self._front(node)
            return
        if len(self.table) >= self.capacity:
            stale = self.tail.prev
            self._unlink(stale)
            del self.table[stale.key]
        node = self.table[key] = Node(key, value)
        self._front(node)


class MoleculeNet(nn.Module):
    def __init__(self, atoms=9, dim=24):
        super().__init__()
        self.embed = nn.Embedding(atoms, dim)
        self.msg = nn.Linear(dim, dim)
        self.upd = nn.GRUCell(dim, dim)
        self.head = nn.Linear(dim, 1)

    def encode(self, atoms, adj):
        h = self.embed(atoms)
        for _ in range(2):
            h = self.upd(adj @ self.msg(h), h)
        return h.mean(0)


def make_molecules(n=300):
    out = []
    for _ in range(n):
        k = int(torch.randint(4, 12, ()))
        atoms = torch.randint(0, 9, (k,))
        adj = (torch.rand(k, k) < 0.3).float()
        adj = ((adj + adj.T) > 0).float() / k
        out.append((atoms, adj, (atoms == 3).float().mean() + adj.sum() / k))
    return out


def main():
    mols = make_molecules()
    net = MoleculeNet()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    cache = LRU(capacity=36)
    drift, hits = 0.0, 0
    for step in range(520):
        pick = int(torch.randint(0, len(mols), ()) * torch.rand(()) ** 2)
        atoms, adj, y = mols[pick]
        z = net.encode(atoms, adj)
        before = cache.get(pick)
        loss = F.mse_loss(net.head(z).squeeze(), y)
        if before is not None:
            hits += 1
            loss = loss + 0.02 * F.mse_loss(z, before.detach())
            drift = 0.95 * drift + 0.05 * (z.detach() - before.detach()).norm().item()
        opt.zero_grad()
        loss.backward()
        opt.step()
        cache.put(pick, z)
        if step % 65 == 0:
            print(step, f"{loss.item():.4f} hits {hits} drift {drift:.4f} cached {len(cache.table)}")


if __name__ == "__main__":
    main()
