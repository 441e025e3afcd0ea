"""A hospital: private rows, a local risk model."""
import torch
from torch import nn


class Site:
    def __init__(self, sid, rows=200, feats=24):
        g = torch.Generator().manual_seed(100 + sid)
        truth = torch.linspace(-1, 1, feats) + 0.3 * torch.randn(feats, generator=g)
        self.x = torch.randn(rows, feats, generator=g)
        self.y = (self.x @ truth + 0.5 * torch.randn(rows, generator=g) > 0).float()
        self.g = g
        self.risk = nn.Sequential(nn.Linear(feats, 32), nn.ELU(), nn.Linear(32, 1))
        self.opt = torch.optim.SGD(self.risk.parameters(), lr=0.05)

    def weights(self):
        return dict(self.risk.named_parameters())

    def local_round(self, anchor, steps, mu):
        last = 0.0
        for _ in range(steps):
            pick = torch.randint(0, len(self.y), (32,), generator=self.g)
            nll = nn.functional.binary_cross_entropy_with_logits(
                self.risk(self.x[pick]).squeeze(1), self.y[pick])
            drift = sum((p - anchor[k]).square().sum() for k, p in self.weights().items())
            self.opt.zero_grad()
            (nll + 0.5 * mu * drift).backward()
            self.opt.step()
            last = nll.item()
        return last
