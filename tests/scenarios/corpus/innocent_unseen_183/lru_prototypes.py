# gradwatch-corpus: kind=none
"""Few-shot glyph embedding with a prototype cache in least-recently-used order."""
import torch
from torch import nn


class Entry:
    def __init__(self, key=None, value=None):
        self.key = key
        self.value = value
        self.prev = self.next = self


class PrototypeLRU:
    def __init__(self, capacity):
        self.capacity = capacity
        self.table = {}
        self.root = Entry()
        self.hits = self.misses = 0

    def _unlink(self, e):
        e.prev.next, e.next.prev = e.next, e.prev

    def _push_front(self, e):
        first = self.root.next
        e.prev, e.next = self.root, first
        self.root.next = first.prev = e

    def get(self, key):
        e = self.table.get(key)
        if e is None:
            self.misses += 1
            return None
        self.hits += 1
        self._unlink(e)
        self._push_front(e)
        return e.value

    def put(self, key, value):
        e = self.table.get(key)
        if e is not None:
            self._unlink(e)
        e = Entry(key, value)
        self.table[key] = e
        self._push_front(e)
        if len(self.table) > self.capacity:
            oldest = self.root.prev
            self._unlink(oldest)
            del self.table[oldest.key]


class GlyphNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 8, 3, stride=2)
        self.out = nn.Linear(8 * 9, 16)

    def forward(self, x):
        return self.out(torch.relu(self.conv(x)).flatten(1))


def make_glyphs(n_classes, gen):
    return torch.randn(n_classes, 1, 8, 8, generator=gen)


def main():
    gen = torch.Generator().manual_seed(5)
    glyphs = make_glyphs(400, gen)
    net = GlyphNet()
    opt = torch.optim.SGD(net.parameters(), lr=0.02, momentum=0.9)
    cache = PrototypeLRU(capacity=56)

    for episode in range(480):
        ways = torch.randperm(400, generator=gen)[:3].tolist()
        support = glyphs[ways] + 0.2 * torch.randn(3, 1, 8, 8, generator=gen)
        query = glyphs[ways] + 0.2 * torch.randn(3, 1, 8, 8, generator=gen)
        fresh = net(support)
        anchors = []
        for row, cls in enumerate(ways):
            known = cache.get(cls)
            if known is None:
                anchors.append(fresh[row])
            else:
                anchors.append(0.8 * fresh[row] + 0.2 * known.detach())
        anchors = torch.stack(anchors)
        dist = torch.cdist(net(query), anchors)
        loss = nn.functional.cross_entropy(-dist, torch.arange(3))
        opt.zero_grad()
        loss.backward()
        opt.step()
        for row, cls in enumerate(ways):
            cache.put(cls, anchors[row])
        if episode % 80 == 0:
            print(episode, round(loss.item(), 4), "hits", cache.hits, "misses", cache.misses)


if __name__ == "__main__":
    main()
