# gradwatch-corpus: kind=none
"""BYOL: no negatives, predictor on the online side, slowly moving target."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(38)


def projector(i, o, h=48):
    return nn.Sequential(nn.Linear(i, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, o))


class BYOL(nn.Module):
    def __init__(self, d, tau=0.97):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(d, 48), nn.ReLU(), projector(48, 16))
        self.predictor = projector(16, 16)
        self.target = copy.deepcopy(self.online)
        self.target.requires_grad_(False)
        self.base_tau = self.tau = tau

    def loss(self, a, b):
        pa, pb = self.predictor(self.online(a)), self.predictor(self.online(b))
        with torch.no_grad():
            ta, tb = self.target(a), self.target(b)
        return (2 - 2 * F.cosine_similarity(pa, tb)).mean() + (2 - 2 * F.cosine_similarity(pb, ta)).mean()

    def update_target(self, progress):
        self.tau = 1 - (1 - self.base_tau) * (math.cos(math.pi * progress) + 1) / 2
        for p, t in zip(self.online.parameters(), self.target.parameters()):
            t.data.mul_(self.tau).add_(p.data, alpha=1 - self.tau)


def batch(protos, n):
    y = torch.randint(0, len(protos), (n,))
    x = protos[y] + 0.3 * torch.randn(n, protos.shape[1])
    return x + 0.3 * torch.randn_like(x), x * (torch.rand_like(x) > 0.2), y


def knn(model, protos):
    with torch.no_grad():
        a, _, ya = batch(protos, 128)
        b, _, yb = batch(protos, 64)
        za, zb = F.normalize(model.online(a)), F.normalize(model.online(b))
        return (ya[(zb @ za.t()).argmax(1)] == yb).float().mean().item()


protos = torch.randn(6, 24)
model = BYOL(24)
opt = torch.optim.AdamW([*model.online.parameters(), *model.predictor.parameters()], lr=2e-3)
STEPS = 110
hist = []
for step in range(STEPS):
    a, b, _ = batch(protos, 48)
    loss = model.loss(a, b)
    opt.zero_grad(set_to_none=True)
    loss.backward()
    opt.step()
    model.update_target(step / STEPS)
    hist.append(loss.detach())
    if step % 30 == 0:
        print(step, "loss %.3f" % torch.stack(hist[-10:]).mean().item(), "knn %.2f" % knn(model, protos))
