import torch
import torch.nn.functional as F
from torch import nn


def applicants(n, d=10):
    x = torch.randn(n, d)
    risk = x[:, 0] * x[:, 1] + x[:, 2] - 0.5 * x[:, 3].abs()
    return x, (risk + 0.3 * torch.randn(n) > 0).float()


class Scorer:
    def __init__(self, d):
        self.net = nn.Sequential(nn.Linear(d, 24), nn.ReLU(), nn.Linear(24, 1))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=1e-2)

    def update(self, x, y):
        z = self.net(x).squeeze(1)
        bce = F.binary_cross_entropy_with_logits(z, y)
        l2 = sum(p.square().sum() for p in self.net.parameters())
        self.opt.zero_grad()
        (bce + 1e-4 * l2).backward()
        self.opt.step()
        margin = (z * (2 * y - 1)).mean()
        return {"bce": bce, "margin": margin, "l2": l2}

    @torch.inference_mode()
    def auc(self, x, y):
        z = self.net(x).squeeze(1)
        pos, neg = z[y == 1], z[y == 0]
        return round((pos[:, None] > neg[None]).float().mean().item(), 3)
