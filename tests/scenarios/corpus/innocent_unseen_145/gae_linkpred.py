# gradwatch-corpus: kind=none
"""Graph auto-encoder: one full-graph encoding per epoch, edge batches walk it one after another."""
import torch

torch.set_num_threads(1)
import torch.nn as nn


class GCN(nn.Module):
    def __init__(self, n_feat, hid=12, dim=6):
        super().__init__()
        self.w1, self.w2 = nn.Linear(n_feat, hid), nn.Linear(hid, dim)

    def forward(self, x, adj):
        return self.w2(adj @ torch.relu(self.w1(adj @ x)))


class EncodedGraph:
    def __init__(self, encoder, x, adj):
        self.encoder, self.x, self.adj = encoder, x, adj
        self._z = None

    @property
    def z(self):
        if self._z is None:
            self._z = self.encoder(self.x, self.adj)
        return self._z

    def invalidate(self):
        self._z = None


def blocks(n=36, k=3):
    y = torch.arange(n) % k
    prob = torch.where(y[:, None] == y[None], 0.45, 0.04)
    up = torch.triu((torch.rand(n, n) < prob).float(), 1)
    adj = up + up.t() + torch.eye(n)
    dinv = adj.sum(1).rsqrt()
    return torch.eye(n), dinv[:, None] * adj * dinv, up.nonzero().t()


def edge_batches(edges, n_nodes, size):
    order = torch.randperm(edges.shape[1])
    parts = order.split(size)
    for i, part in enumerate(parts):
        pos = edges[:, part]
        neg = torch.randint(0, n_nodes, pos.shape)
        yield pos, neg, i == len(parts) - 1


def bce(z, pairs, label):
    logits = (z[pairs[0]] * z[pairs[1]]).sum(1)
    return nn.functional.binary_cross_entropy_with_logits(logits, torch.full_like(logits, label))


def fit(epochs=450):
    torch.manual_seed(61)
    x, adj, edges = blocks()
    encoder = GCN(x.shape[1])
    graph = EncodedGraph(encoder, x, adj)
    opt = torch.optim.Adam(encoder.parameters(), lr=0.01)
    for epoch in range(epochs):
        opt.zero_grad()
        epoch_loss = 0
        for pos, neg, last in edge_batches(edges, len(x), 40):
            share = pos.shape[1] / edges.shape[1]
            loss = share * (bce(graph.z, pos, 1.0) + bce(graph.z, neg, 0.0))
            loss.backward(retain_graph=not last)
            epoch_loss = epoch_loss + loss
        opt.step()
        graph.invalidate()
        if epoch % 90 == 0:
            print(f"epoch {epoch} loss {epoch_loss.item():.4f}")


fit()
