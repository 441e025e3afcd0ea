import torch


def make_graph(n, dim, blocks=4):
    block = torch.randint(0, blocks, (n,))
    same = (block[:, None] == block[None, :]).float()
    prob = 0.15 * same + 0.01 * (1 - same)
    upper = torch.triu((torch.rand(n, n) < prob).float(), 1)
    a = upper + upper.t() + torch.eye(n)
    d = a.sum(1).rsqrt()
    adj = d[:, None] * a * d[None, :]
    centers = torch.randn(blocks, dim)
    feats = centers[block] + torch.randn(n, dim)
    return feats, adj, upper.nonzero()


class EdgeBatches:
    """Positive edges with as many random negatives."""

    def __init__(self, edges, n_nodes, batch_size):
        self.edges, self.n, self.bs = edges, n_nodes, batch_size

    def __iter__(self):
        perm = torch.randperm(len(self.edges))
        for i in range(0, len(perm), self.bs):
            pos = self.edges[perm[i:i + self.bs]]
            neg = torch.randint(0, self.n, pos.shape)
            both = torch.cat([pos, neg])
            label = torch.cat([torch.ones(len(pos)), torch.zeros(len(neg))])
            yield both[:, 0], both[:, 1], label
