import torch


class Graph:
    def __init__(self, x, y, adj, train):
        self.x, self.y, self.adj = x, y, adj
        self.train = train

    def batches(self, n):
        def epoch():
            for _ in range(n):
                yield self.train[torch.randperm(len(self.train))[:32]]
        return epoch


def citation_graph(nodes, classes):
    y = torch.randint(0, classes, (nodes,))
    same = (y[:, None] == y[None]).float()
    adj = (torch.rand(nodes, nodes) < 0.02 + 0.08 * same).float()
    adj = ((adj + adj.t() + torch.eye(nodes)) > 0).float()
    d = adj.sum(1).rsqrt()
    adj = d[:, None] * adj * d[None]
    x = torch.randn(nodes, 20)
    x[torch.arange(nodes), y] += 1.0
    return Graph(x, y, adj, torch.arange(nodes)[: nodes * 3 // 4])
