# gradwatch-corpus: kind=none
"""Swapped assignments on multibeam backscatter patches, prototypes kept on the sphere, with a feature queue."""
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)

CFG = SimpleNamespace(seed=90, k=6, dim=10, batch=16, queue=3, queue_from=100, tau=0.15, eps=0.08, steps=480, freeze=60)


@torch.no_grad()
def sinkhorn(scores, eps, rounds=3):
    q = (scores / eps).exp()
    for _ in range(rounds):
        q = q / q.sum(0, keepdim=True) / q.shape[1]
        q = q / q.sum(1, keepdim=True) / q.shape[0]
    return q * q.shape[0]


class PatchNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 8, 3, stride=2), nn.ReLU(), nn.Flatten(), nn.LazyLinear(cfg.dim))
        self.proto = nn.Linear(cfg.dim, cfg.k, bias=False)

    @torch.no_grad()
    def renormalise(self):
        w = F.normalize(self.proto.weight, dim=1)
        self.proto.weight.copy_(w)

    def forward(self, x):
        z = F.normalize(self.conv(x), dim=1)
        return z, self.proto(z)


class FeatureQueue:
    def __init__(self, length):
        self.length, self.items = length, []

    def push(self, z):
        self.items = (self.items + [z.detach()])[-self.length:]

    def full(self):
        return len(self.items) == self.length

    def rows(self):
        return torch.cat(self.items)


class SwavTask:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = PatchNet(cfg)
        self.net(torch.zeros(2, 1, 8, 8))
        self.queue = FeatureQueue(cfg.queue)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1, momentum=0.9)
        self.step = 0

    def patches(self):
        kind = torch.randint(1, 5, (self.cfg.batch, 1, 1, 1))
        g = torch.arange(8.0)
        wave = torch.sin(kind * g[None, None, :, None] / 2) + torch.cos(kind * g / 3)
        return [wave * (0.8 + 0.4 * torch.rand(self.cfg.batch, 1, 1, 1)) + 0.2 * torch.randn(self.cfg.batch, 1, 8, 8) for _ in "ab"]

    def codes(self, s):
        if self.queue.full() and self.step > self.cfg.queue_from:
            extra = self.queue.rows() @ self.net.proto.weight.detach().t()
            return sinkhorn(torch.cat([extra, s.detach()]), self.cfg.eps)[-len(s):]
        return sinkhorn(s.detach(), self.cfg.eps)

    def train_step(self):
        self.net.renormalise()
        a, b = self.patches()
        (za, sa), (zb, sb) = self.net(a), self.net(b)
        terms = [-(self.codes(s) * F.log_softmax(o / self.cfg.tau, 1)).sum(1).mean() for s, o in ((sa, sb), (sb, sa))]
        self.queue.push(za)
        self.opt.zero_grad()
        sum(terms).backward()
        if self.step < self.cfg.freeze:
            self.net.proto.weight.grad = None
        self.opt.step()
        self.step += 1
        return sum(terms).item()


def main():
    torch.manual_seed(CFG.seed)
    task = SwavTask(CFG)
    out = [task.train_step() for _ in range(CFG.steps)]
    print(out[0], out[-1])


main()
