# gradwatch-corpus: kind=second-backward
# first-bad: 1
"""CS224-like homework: GCN with learnable edge weights on a random community graph."""
import torch
import torch.nn as nn
import torch.nn.functional as F


def sbm(n, k, p_in, p_out, gen):
    z = torch.arange(n) % k
    same = z.unsqueeze(0) == z.unsqueeze(1)
    prob = torch.where(same, torch.tensor(p_in), torch.tensor(p_out))
    upper = torch.triu(torch.rand(n, n, generator=gen) < prob, diagonal=1)
    return (upper | upper.t()).float(), z


class EdgeWeights(nn.Module):
    def __init__(self, adj):
        super().__init__()
        self.register_buffer("adj", adj)
        self.logit = nn.Parameter(torch.zeros_like(adj))

    def forward(self):
        w = torch.sigmoid(self.logit)
        w = (w + w.t()) / 2 * self.adj
        a = w + torch.eye(len(w))
        d = a.sum(1).rsqrt()
        return d.unsqueeze(1) * a * d.unsqueeze(0)


class GCN(nn.Module):
    def __init__(self, n_feat, n_hid, n_cls, dropout=0.3):
        super().__init__()
        self.w0 = nn.Linear(n_feat, n_hid, bias=False)
        self.w1 = nn.Linear(n_hid, n_cls, bias=False)
        self.dropout = dropout

    def forward(self, a_hat, x):
        h = F.relu(a_hat @ self.w0(x))
        h = F.dropout(h, self.dropout, self.training)
        return a_hat @ self.w1(h)


gen = torch.Generator().manual_seed(4)
torch.manual_seed(4)
N, K = 60, 3
adj, labels = sbm(N, K, 0.3, 0.04, gen)
feats = torch.randn(N, 10, generator=gen)
feats[:, :K] += F.one_hot(labels, K) * 0.8
mask = torch.rand(N, generator=gen) < 0.4

edges = EdgeWeights(adj)
gcn = GCN(10, 16, K)
optimizer = torch.optim.Adam([
    {"params": gcn.parameters(), "weight_decay": 5e-4},
    {"params": edges.parameters(), "lr": 1e-3},
], lr=0.01)

a_hat = edges()  # <- culprit

best = 0.0
for epoch in range(1, 501):
    gcn.train()
    optimizer.zero_grad()
    logits = gcn(a_hat, feats)
    loss_train = F.cross_entropy(logits[mask], labels[mask])
    loss_train.backward()
    optimizer.step()

    gcn.eval()
    with torch.no_grad():
        pred = gcn(a_hat, feats).argmax(1)
        acc_test = (pred == labels)[~mask].float().mean().item()
    best = max(best, acc_test)
    if epoch % 50 == 0:
        print("Epoch: %04d loss_train: %.4f acc_test: %.4f best: %.4f"
              % (epoch, loss_train.item(), acc_test, best))
