# gradwatch-corpus: kind=none
"""Deep residual GCN with activation checkpointing, stochastic block model graph."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

torch.set_num_threads(1)
torch.manual_seed(22)


def sbm(n=120, k=3, p_in=0.15, p_out=0.02):
    y = torch.arange(n) % k
    p = torch.where(y[:, None] == y[None], p_in, p_out)
    A = (torch.rand(n, n) < p).float().triu(1)
    A = A + A.t() + torch.eye(n)
    d = A.sum(1).rsqrt()
    return d[:, None] * A * d[None], y


class Block(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.norm = nn.LayerNorm(d)
        self.lin = nn.Linear(d, d)
        self.drop = nn.Dropout(0.2)

    def forward(self, h, A):
        return h + self.drop(F.relu(A @ self.lin(self.norm(h))))


class DeepGCN(nn.Module):
    def __init__(self, d_in, d, k, depth=6):
        super().__init__()
        self.inp = nn.Linear(d_in, d)
        self.blocks = nn.ModuleList(Block(d) for _ in range(depth))
        self.out = nn.Linear(d, k)

    def forward(self, x, A):
        h = self.inp(x)
        for b in self.blocks:
            h = checkpoint(b, h, A, use_reentrant=False) if self.training else b(h, A)
        return self.out(h)


A, y = sbm()
x = F.one_hot(y, 3).float() * 0.5 + torch.randn(120, 3)
train = torch.rand(120) < 0.3
model = DeepGCN(3, 24, 3)
opt = torch.optim.Adam(model.parameters(), lr=5e-3, weight_decay=5e-4)
best = 0.0
for epoch in range(90):
    model.train()
    opt.zero_grad()
    loss = F.cross_entropy(model(x, A)[train], y[train])
    loss.backward()
    opt.step()
    if epoch % 10 == 9:
        model.eval()
        with torch.no_grad():
            pred = model(x, A).argmax(1)
        acc = (pred[~train] == y[~train]).float().mean().item()
        best = max(best, acc)
        print(epoch, "loss %.3f acc %.3f" % (loss.item(), acc))
print("best", best)
