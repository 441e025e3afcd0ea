import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


def head(i, h, o):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(inplace=True), nn.Linear(h, o))


class MomentumCopy(nn.Module):
    """A frozen copy that follows its source."""

    def __init__(self, source, momentum=0.99):
        super().__init__()
        self.net = copy.deepcopy(source).requires_grad_(False)
        self.momentum = momentum

    @torch.no_grad()
    def follow(self, source):
        for p, s in zip(self.net.parameters(), source.parameters()):
            p.mul_(self.momentum).add_(s, alpha=1 - self.momentum)
        for b, s in zip(self.net.buffers(), source.buffers()):
            b.copy_(s)

    def forward(self, x):
        return self.net(x)


class CentredBYOL(nn.Module):
    def __init__(self, dim, hidden=48, emb=16, centre_momentum=0.9):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(dim, hidden), nn.ReLU(), head(hidden, hidden, emb))
        self.predictor = head(emb, hidden, emb)
        self.teacher = MomentumCopy(self.online)
        self.centre_momentum = centre_momentum
        self.register_buffer("centre", torch.zeros(emb))
        self.last_z = None

    def _pair(self, a, b):
        z = self.online(a)
        p = self.predictor(z)
        t = self.teacher(b)
        loss = 2 - 2 * F.cosine_similarity(p, t - self.centre, dim=1).mean()
        self.centre = self.centre_momentum * self.centre + (1 - self.centre_momentum) * t.mean(0)
        return loss, z

    def forward(self, a, b):
        la, za = self._pair(a, b)
        lb, zb = self._pair(b, a)
        self.last_z = 0.5 * (za + zb)
        return 0.5 * (la + lb)
