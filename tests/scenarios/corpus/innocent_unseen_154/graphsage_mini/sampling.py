import random
from collections import defaultdict

import torch


class NeighborSampler:
    def __init__(self, edges, fanout=5):
        self.adj = defaultdict(list)
        for a, b in edges:
            self.adj[a].append(b)
            self.adj[b].append(a)
        self.fanout = fanout

    def neighbors(self, nodes):
        return torch.tensor([random.choices(self.adj[n] or [n], k=self.fanout) for n in nodes])


def planted_graph(n=150, k=3, deg=6):
    y = [i % k for i in range(n)]
    edges = []
    for i in range(n):
        for _ in range(deg // 2):
            same = random.random() < 0.85
            edges.append((i, random.choice([j for j in range(n) if (y[j] == y[i]) == same and j != i])))
    return edges, torch.tensor(y)
