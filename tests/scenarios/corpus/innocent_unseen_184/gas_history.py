# gradwatch-corpus: kind=none
"""GNN with historical embeddings of out-of-batch neighbours."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Graph:
    x: torch.Tensor
    y: torch.Tensor
    adj: torch.Tensor


def make_graph(n=240, classes=4, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.randint(0, classes, (n,), generator=g)
    p = torch.where(y[:, None] == y[None], 0.12, 0.015)
    up = torch.triu(torch.rand(n, n, generator=g) < p, 1).float()
    adj = up + up.T + torch.eye(n)
    x = torch.randn(n, 12, generator=g)
    x[:, :classes] += 0.6 * F.one_hot(y, classes)
    return Graph(x, y, adj / adj.sum(1, keepdim=True))


class History:
    def __init__(self, n, dim):
        self.emb = torch.zeros(n, dim)
        self.age = torch.zeros(n)

    def pull(self):
        return self.emb

    def push(self, nodes, h):
        self.emb = self.emb.index_copy(0, nodes, h.detach())
        self.age += 1
        self.age[nodes] = 0


class GASNet(nn.Module):
    def __init__(self, dims, n):
        super().__init__()
        self.lins = nn.ModuleList(nn.Linear(a, b) for a, b in zip(dims[:-1], dims[1:]))
        self.histories = [History(n, d) for d in dims[1:-1]]
        self.cache = {}

    def forward(self, graph, nodes):
        rows = graph.adj[nodes]
        h_all = graph.x
        for i, lin in enumerate(self.lins):
            h = lin(rows @ h_all)
            if i == len(self.lins) - 1:
                return h
            h = F.relu(h)
            self.cache[i] = h
            h_all = self.histories[i].pull().index_copy(0, nodes, h)
            self.histories[i].push(nodes, h)

    def staleness(self):
        return max(h.age.max().item() for h in self.histories)


def full_accuracy(net, graph, mask):
    with torch.no_grad():
        h = graph.x
        for i, lin in enumerate(net.lins):
            h = lin(graph.adj @ h)
            h = F.relu(h) if i < len(net.lins) - 1 else h
    return (h.argmax(1) == graph.y)[mask].float().mean().item()


def main(epochs=60, parts=8):
    torch.manual_seed(0)
    graph = make_graph()
    n = len(graph.y)
    net = GASNet([12, 24, 24, 4], n)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    train_mask = torch.rand(n) < 0.5
    curve = []
    for epoch in range(epochs):
        running = 0.0
        for nodes in torch.randperm(n).chunk(parts):
            out = net(graph, nodes)
            m = train_mask[nodes]
            loss = F.cross_entropy(out[m], graph.y[nodes][m])
            act = net.cache[0].abs().mean()
            total = loss + 1e-3 * act
            opt.zero_grad()
            total.backward()
            opt.step()
            running += loss.item()
            net.cache.clear()
        curve.append((epoch, running / parts))
        if epoch % 10 == 0:
            acc = full_accuracy(net, graph, ~train_mask)
            print(f"epoch {epoch} loss {curve[-1][1]:.4f} acc {acc:.3f} staleness {net.staleness():.0f}")


if __name__ == "__main__":
    main()
