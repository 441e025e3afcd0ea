from dataclasses import dataclass

import torch


@dataclass
class Graph:
    features: torch.Tensor
    adj: torch.Tensor
    group: torch.Tensor
    table: torch.Tensor  # relation x group x group -> probability

    def sample_edges(self, m):
        n = len(self.group)
        src, dst = torch.randint(0, n, (m,)), torch.randint(0, n, (m,))
        rel = torch.randint(0, self.table.size(0), (m,))
        p = self.table[rel, self.group[src], self.group[dst]]
        return src, dst, rel, torch.bernoulli(p)


def community_graph(n, groups, d_in=12, n_rel=3):
    group = torch.arange(n) % groups
    same = (group[:, None] == group[None]).float()
    a = torch.bernoulli(0.05 + 0.3 * same).triu(1)
    a = a + a.t() + torch.eye(n)
    deg = a.sum(1).rsqrt()
    table = torch.rand(n_rel, groups, groups)
    table = ((table + table.transpose(1, 2)) > 1).float() * 0.9 + 0.05
    return Graph(torch.randn(n, d_in), deg[:, None] * a * deg, group, table)
