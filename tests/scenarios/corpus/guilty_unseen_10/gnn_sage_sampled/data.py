"""A stochastic block model as adjacency lists, with neighbour sampling."""
import random

import torch


class Graph:
    def __init__(self, x, y, adj):
        self.x, self.y, self.adj = x, y, adj

    def sample(self, seeds, fanout):
        """Returns [(dst, src) index pairs from the outermost hop inwards] and the node ids of the outermost layer."""
        layers = [list(seeds)]
        blocks = []
        for k in fanout:
            frontier = layers[-1]
            local = {n: i for i, n in enumerate(frontier)}
            nodes = list(frontier)
            dst, src = [], []
            for i, n in enumerate(frontier):
                for m in random.sample(self.adj[n], min(k, len(self.adj[n]))):
                    if m not in local:
                        local[m] = len(nodes)
                        nodes.append(m)
                    dst.append(i)
                    src.append(local[m])
            blocks.append((torch.tensor(dst), torch.tensor(src), len(frontier)))
            layers.append(nodes)
        return blocks[::-1], torch.tensor(layers[-1])


def block_model(n, k, f, p_in=0.06, p_out=0.008):
    y = torch.arange(n) % k
    centres = torch.randn(k, f)
    x = centres[y] * 0.5 + torch.randn(n, f)
    adj = [[] for _ in range(n)]
    for i in range(n):
        for j in range(i):
            if random.random() < (p_in if y[i] == y[j] else p_out):
                adj[i].append(j)
                adj[j].append(i)
    for i in range(n):
        if not adj[i]:
            adj[i].append(i)
    return Graph(x, y, adj)
