# gradwatch-corpus: kind=graph-held
# holder: self.bank | queue.bank
# first-bad: 1
# notice: 8
# also: graph-unused
"""NNCLR-like pretraining on toy vectors: positives are nearest neighbours out of a support set."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(42)


class SupportSet:
    def __init__(self, size, dim):
        self.size = size
        self.bank = F.normalize(torch.randn(size, dim), dim=1)

    @property
    def frozen(self):
        return self.bank.detach()

    def nearest(self, z):
        bank = self.frozen
        with torch.no_grad():
            idx = (z @ bank.t()).argmax(dim=1)
        return bank[idx]

    def push(self, z):
        self.bank = torch.cat([z, self.bank], dim=0)[:self.size]  # <- culprit


class Encoder(nn.Module):
    def __init__(self, d_in=20, width=48, dim=16):
        super().__init__()
        self.backbone = nn.Sequential(nn.Linear(d_in, width), nn.BatchNorm1d(width), nn.ReLU())
        self.projector = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, dim))
        self.predictor = nn.Sequential(nn.Linear(dim, width), nn.ReLU(), nn.Linear(width, dim))

    def forward(self, x):
        z = self.projector(self.backbone(x))
        p = self.predictor(z)
        return F.normalize(z, dim=1), F.normalize(p, dim=1)


def info_nce(nn_z, p, tau=0.2):
    logits = nn_z @ p.t() / tau
    return F.cross_entropy(logits, torch.arange(len(p)))


class TwoViews:
    def __init__(self, clusters=8, d=20):
        self.mu = torch.randn(clusters, d) * 2

    def sample(self, n):
        c = torch.randint(0, len(self.mu), (n,))
        base = self.mu[c] + 0.4 * torch.randn(n, self.mu.size(1))
        return self._augment(base), self._augment(base)

    @staticmethod
    def _augment(x):
        keep = (torch.rand_like(x) > 0.15).float()
        return x * keep + 0.1 * torch.randn_like(x)


def pretrain(steps=160, batch=32):
    model = Encoder()
    queue = SupportSet(256, 16)
    opt = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, steps)
    views = TwoViews()
    meter = 0.0
    for it in range(1, steps + 1):
        x1, x2 = views.sample(batch)
        z1, p1 = model(x1)
        z2, p2 = model(x2)
        loss = 0.5 * (info_nce(queue.nearest(z1), p2) + info_nce(queue.nearest(z2), p1))
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        sched.step()
        queue.push(z1)  # <- culprit
        meter += loss.item()
        if it % 40 == 0:
            spread = queue.frozen.std(dim=0).mean().item()
            print(f"it {it} loss {meter / 40:.3f} bank std {spread:.3f}")
            meter = 0.0


pretrain()
