# gradwatch-corpus: kind=second-backward
# holder: self.history | trainer.history | hist
# first-bad: 31
# notice: 0
"""Node classification with historical embeddings (GNNAutoScale flavour) on a stochastic block model."""
import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)


def sbm(n=80, k=4, p_in=0.25, p_out=0.02, seed=0):
    g = torch.Generator().manual_seed(seed)
    y = torch.arange(n) % k
    prob = torch.where(y[:, None] == y[None], p_in, p_out)
    a = (torch.rand(n, n, generator=g) < prob).float().triu(1)
    a = a + a.T + torch.eye(n)
    x = F.one_hot(y, k).float() + 1.2 * torch.randn(n, k, generator=g)
    d = a.sum(1).rsqrt()
    return x, d[:, None] * a * d[None], y


class ScalableGCN(nn.Module):
    def __init__(self, n_in, hid, n_out):
        super().__init__()
        self.lin1 = nn.Linear(n_in, hid)
        self.lin2 = nn.Linear(hid, n_out)

    def embed(self, x, adj):
        return torch.relu(adj @ self.lin1(x))

    def forward(self, x, adj, nodes, hist):
        fresh = torch.relu(adj[nodes] @ self.lin1(x))
        mixed = hist.clone()
        mixed[nodes] = fresh
        return adj[nodes] @ self.lin2(mixed)


class GASTrainer:
    def __init__(self, warmup=30, refresh=15, batch=20):
        torch.manual_seed(6)
        self.x, self.adj, self.y = sbm()
        self.model = ScalableGCN(self.x.shape[1], 16, 4)
        self.opt = torch.optim.Adam(self.model.parameters(), lr=0.01, weight_decay=5e-4)
        self.warmup, self.refresh, self.batch = warmup, refresh, batch
        self.history = torch.zeros(len(self.x), 16)

    def pull(self, it):
        if it >= self.warmup and it % self.refresh == 0:
            self.history = self.model.embed(self.x, self.adj)  # <- culprit
        return self.history

    def train(self, iters):
        for it in range(iters):
            nodes = torch.randperm(len(self.x))[: self.batch]
            out = self.model(self.x, self.adj, nodes, self.pull(it))
            loss = F.cross_entropy(out, self.y[nodes])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if it % 25 == 0:
                print(f"it {it:3d} loss {loss.item():.3f}")


if __name__ == "__main__":
    GASTrainer().train(400)
