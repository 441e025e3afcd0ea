# gradwatch-corpus: kind=none
"""Two-task learning with projected gradients; the shared trunk is checkpointed."""
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint


class Trunk(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.inp = nn.Linear(10, dim)
        self.blocks = nn.ModuleList(nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.GELU()) for _ in range(depth))

    def forward(self, x):
        h = self.inp(x)
        for blk in self.blocks:
            h = h + blk(h)
        return h


class MultiTask(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.trunk = Trunk(dim, 2)
        self.tail = nn.Sequential(nn.Linear(dim, dim), nn.GELU())
        self.reg = nn.Linear(dim, 1)
        self.cls = nn.Linear(dim, 3)

    def forward(self, x):
        h = self.trunk(x)
        h = checkpoint(self.tail, h, use_reentrant=False)
        return self.reg(h).squeeze(-1), self.cls(h)


def flat(grads):
    return torch.cat([g.flatten() for g in grads])


def surgery(g1, g2):
    dot = torch.dot(g1, g2)
    if dot < 0:
        p1 = g1 - dot / g2.pow(2).sum() * g2
        p2 = g2 - dot / g1.pow(2).sum() * g1
        return p1 + p2, True
    return g1 + g2, False


def assign(params, vec):
    k = 0
    for p in params:
        n = p.numel()
        p.grad = vec[k:k + n].view_as(p).clone()
        k += n


def data(n, w):
    x = torch.randn(n, 10)
    return x, torch.sin(x @ w[:, 0]), (x @ w[:, 1:]).argmax(1)


torch.manual_seed(19)
w = torch.randn(10, 4)
model = MultiTask()
shared = list(model.trunk.parameters()) + list(model.tail.parameters())
heads = list(model.reg.parameters()) + list(model.cls.parameters())
opt = torch.optim.Adam(shared + heads, lr=3e-3)
conflicts = 0
for step in range(90):
    x, y, c = data(48, w)
    pred, logits = model(x)
    l1 = F.mse_loss(pred, y)
    l2 = F.cross_entropy(logits, c)
    r = list(model.reg.parameters())
    k = list(model.cls.parameters())
    ga = torch.autograd.grad(l1, shared + r, retain_graph=True)
    gb = torch.autograd.grad(l2, shared + k)
    n = len(shared)
    merged, hit = surgery(flat(ga[:n]), flat(gb[:n]))
    conflicts += hit
    opt.zero_grad()
    assign(shared, merged)
    for p, g in zip(r + k, ga[n:] + gb[n:]):
        p.grad = g
    opt.step()
    if step % 18 == 17:
        print(step + 1, f"{l1.item():.3f} {l2.item():.3f} conflicts {conflicts}")
