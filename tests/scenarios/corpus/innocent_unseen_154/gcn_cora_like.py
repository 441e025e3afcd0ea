# gradwatch-corpus: kind=none
"""Semi-supervised node classification with a GCN (Kipf & Welling) on an SBM graph."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(42)
torch.set_num_threads(1)


def sbm(n=120, k=3, p_in=0.15, p_out=0.02):
    y = torch.arange(n) % k
    same = (y[:, None] == y[None]).float()
    prob = same * p_in + (1 - same) * p_out
    up = torch.triu((torch.rand(n, n) < prob).float(), 1)
    x = torch.randn(n, 16) + 0.7 * F.one_hot(y, 16).float()
    return x, up + up.t(), y


def normalize(adj):
    a = adj + torch.eye(len(adj))
    d = a.sum(1).pow(-0.5)
    return (d[:, None] * a * d[None]).to_sparse()


class GraphConv(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.weight = nn.Parameter(torch.empty(i, o))
        self.bias = nn.Parameter(torch.zeros(o))
        nn.init.xavier_uniform_(self.weight)

    def forward(self, x, adj):
        return torch.sparse.mm(adj, x @ self.weight) + self.bias


class GCN(nn.Module):
    def __init__(self, i, h, o, drop=0.4):
        super().__init__()
        self.gc1, self.gc2, self.drop = GraphConv(i, h), GraphConv(h, o), drop

    def forward(self, x, adj):
        x = F.dropout(F.relu(self.gc1(x, adj)), self.drop, self.training)
        return self.gc2(x, adj)


x, adj, y = sbm()
adj = normalize(adj)
perm = torch.randperm(len(y))
train_idx, val_idx, test_idx = perm[:20], perm[20:60], perm[60:]
model = GCN(16, 24, 3)
opt = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
best_val, best_state, patience, bad = 0.0, None, 60, 0

for epoch in range(150):
    model.train()
    opt.zero_grad()
    out = model(x, adj)
    loss = F.cross_entropy(out[train_idx], y[train_idx])
    loss.backward()
    opt.step()

    model.eval()
    with torch.no_grad():
        val = (model(x, adj)[val_idx].argmax(1) == y[val_idx]).float().mean().item()
    if val > best_val:
        best_val, best_state, bad = val, copy.deepcopy(model.state_dict()), 0
    else:
        bad += 1
    if bad > patience and epoch > 100:
        print("early stop at", epoch)
        break

model.load_state_dict(best_state)
with torch.no_grad():
    test = (model(x, adj)[test_idx].argmax(1) == y[test_idx]).float().mean().item()
print(f"val {best_val:.3f} test {test:.3f}")
