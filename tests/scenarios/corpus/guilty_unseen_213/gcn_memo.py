# gradwatch-corpus: kind=graph-held
# holder: store | GCN.propagate.store | model.propagate.store
# first-bad: 1
"""Semi-supervised node classification with a two layer GCN and DropEdge."""
import functools
import hashlib

import torch
import torch.nn.functional as F
from torch import nn


def memoize_graph(fn):
    """Re-use propagation results when the same (adjacency, features) pair shows up again."""
    store = {}

    @functools.wraps(fn)
    def inner(self, adj, h):
        key = hashlib.md5(adj.numpy().tobytes() + h.detach().numpy().tobytes()).hexdigest()
        if key not in store:
            store[key] = fn(self, adj, h)  # <- culprit
        return store[key]

    inner.store = store
    return inner


class GCN(nn.Module):
    def __init__(self, d_in, d_hid, n_cls):
        super().__init__()
        self.lin1 = nn.Linear(d_in, d_hid)
        self.lin2 = nn.Linear(d_hid, n_cls)

    @memoize_graph  # <- culprit
    def propagate(self, adj, h):
        return adj @ h

    def forward(self, adj, x):
        h = self.propagate(adj, x)
        h = F.dropout(F.elu(self.lin1(h)), 0.4, self.training)
        h = self.lin2(h)
        return self.propagate(adj, h)


def sbm(n, k, p_in=0.12, p_out=0.01):
    y = torch.arange(n) % k
    prob = torch.where(y[:, None] == y[None], p_in, p_out)
    up = torch.triu((torch.rand(n, n) < prob).float(), 1)
    return up + up.t(), y


def normalise(a):
    a = a + torch.eye(a.size(0))
    d = a.sum(1).rsqrt()
    return d[:, None] * a * d[None]


def drop_edge(a, p):
    mask = torch.triu((torch.rand_like(a) > p).float(), 1)
    return a * (mask + mask.t())


def run(epochs=120):
    torch.manual_seed(0)
    n, k, d = 180, 4, 24
    a, y = sbm(n, k)
    x = F.one_hot(y, d).float() * 0.5 + torch.randn(n, d)
    train_mask = torch.zeros(n, dtype=torch.bool)
    train_mask[torch.randperm(n)[:60]] = True
    full = normalise(a)

    model = GCN(d, 32, k)
    opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
    for ep in range(1, epochs + 1):
        model.train()
        out = model(normalise(drop_edge(a, 0.2)), x)
        loss = F.cross_entropy(out[train_mask], y[train_mask])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if ep % 30 == 0:
            model.eval()
            with torch.no_grad():
                acc = (model(full, x).argmax(1) == y)[~train_mask].float().mean()
            print(f"epoch {ep} loss {loss.item():.3f} test acc {acc.item():.3f}")


if __name__ == "__main__":
    run()
