# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""Node classification with learnable edge-type weights."""
import torch
from torch import nn
import torch.nn.functional as F


class EdgeWeights(nn.Module):
    def __init__(self, n_types):
        super().__init__()
        self.raw = nn.Parameter(torch.zeros(n_types))

    def normalised(self, adjs):
        w = F.softplus(self.raw)
        adj = (w[:, None, None] * adjs).sum(0) + torch.eye(adjs.size(1))
        inv = adj.sum(1).rsqrt()
        return inv[:, None] * adj * inv[None, :]


class GCN(nn.Module):
    def __init__(self, cin, hidden, cout, dropout=0.3):
        super().__init__()
        self.w1 = nn.Linear(cin, hidden)
        self.w2 = nn.Linear(hidden, cout)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, support):
        x = F.relu(support @ self.w1(self.drop(x)))
        return support @ self.w2(self.drop(x))


def relational_graph(n=90, k=3, types=2, seed=0):
    gen = torch.Generator().manual_seed(seed)
    y = torch.randint(0, k, (n,), generator=gen)
    same = (y[:, None] == y[None]).float()
    adjs = []
    for t in range(types):
        p = (0.12 if t == 0 else 0.04) * same + 0.03
        a = (torch.rand(n, n, generator=gen) < p).float().triu(1)
        adjs.append(a + a.t())
    x = torch.randn(n, 12, generator=gen)
    x[torch.arange(n), y] += 1.0
    return x, torch.stack(adjs), y


class EarlyStopping:
    def __init__(self, patience):
        self.patience, self.best, self.bad = patience, float("inf"), 0

    def should_stop(self, value):
        if value < self.best - 1e-4:
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        return self.bad > self.patience


def main(epochs=400):
    torch.manual_seed(0)
    x, adjs, y = relational_graph()
    train_idx, val_idx = torch.arange(0, 60), torch.arange(60, 90)
    edges, model = EdgeWeights(adjs.size(0)), GCN(12, 24, 3)
    opt = torch.optim.Adam([*edges.parameters(), *model.parameters()], lr=0.01, weight_decay=5e-4)
    stopper = EarlyStopping(patience=400)
    support = edges.normalised(adjs)  # <- culprit
    for epoch in range(epochs):
        model.train()
        opt.zero_grad()
        out = model(x, support)
        loss = F.cross_entropy(out[train_idx], y[train_idx])
        loss.backward()
        opt.step()
        model.eval()
        with torch.no_grad():
            val = F.cross_entropy(model(x, support)[val_idx], y[val_idx]).item()
        if epoch % 50 == 0:
            print(f"epoch {epoch} train {loss.item():.4f} val {val:.4f}")
        if stopper.should_stop(val):
            break


if __name__ == "__main__":
    main()
