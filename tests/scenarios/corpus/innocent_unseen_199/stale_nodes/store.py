from collections import OrderedDict

import torch


class StaleStore:
    """Node embeddings from recent iterations; what is older than ttl is forgotten."""

    def __init__(self, dim, ttl):
        self.ttl = ttl
        self.now = 0
        self.blank = torch.zeros(dim)
        self.entries = OrderedDict()

    def __len__(self):
        return len(self.entries)

    def advance(self):
        self.now += 1
        while self.entries:
            node, (born, _) = next(iter(self.entries.items()))
            if self.now - born <= self.ttl:
                break
            del self.entries[node]

    def write(self, nodes, vectors):
        for node, vec in zip(nodes, vectors.unbind(0)):
            self.entries[node] = (self.now, vec)
            self.entries.move_to_end(node)

    def mean(self, nodes):
        found = [self.entries[n][1] for n in nodes if n in self.entries]
        if not found:
            return self.blank
        with torch.no_grad():
            return torch.stack(found).mean(0)
