# gradwatch-corpus: kind=none
"""Multi-task regression with projected gradients."""
import os, sys
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import torch
from torch import nn
from surgery import PCGrad


class MTL(nn.Module):
    def __init__(self, tasks):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(8, 24), nn.ReLU(), nn.Linear(24, 24), nn.ReLU())
        self.heads = nn.ModuleDict({t: nn.Linear(24, 1) for t in tasks})

    def forward(self, x):
        h = self.trunk(x)
        return {t: head(h).squeeze(-1) for t, head in self.heads.items()}


def targets(x):
    return {"sum": x.sum(1), "prod": x[:, 0] * x[:, 1], "neg": -x[:, :4].sum(1)}


torch.manual_seed(10)
net = MTL(["sum", "prod", "neg"])
opt = PCGrad(torch.optim.Adam(net.parameters(), lr=3e-3))
conflict = []
for it in range(130):
    x = torch.randn(32, 8)
    out, tgt = net(x), targets(x)
    losses = {t: nn.functional.mse_loss(out[t], tgt[t]) for t in out}
    conflict.append(opt.step(list(losses.values())))
    if it % 26 == 0:
        print(it, {t: round(l.item(), 3) for t, l in losses.items()}, "conflicts", sum(conflict[-26:]))
