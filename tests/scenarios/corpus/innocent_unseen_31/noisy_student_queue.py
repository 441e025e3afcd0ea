# gradwatch-corpus: kind=none
"""Mean-teacher + contrastive queue for unlabelled shelf-sensor windows."""
import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, d_in=30, d=16):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d_in, 48), nn.BatchNorm1d(48), nn.ReLU(), nn.Linear(48, d))

    def forward(self, x):
        return F.normalize(self.f(x), dim=1)


class KeyQueue:
    def __init__(self, dim, size):
        self.keys = F.normalize(torch.randn(size, dim), dim=1)
        self.ptr = 0

    def push(self, k):
        n = k.size(0)
        idx = (self.ptr + torch.arange(n)) % self.keys.size(0)
        self.keys = self.keys.index_copy(0, idx, k)
        self.ptr = (self.ptr + n) % self.keys.size(0)


class Pretrainer:
    def __init__(self, m=0.98, tau=0.2):
        self.student = Encoder()
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.queue = KeyQueue(16, 256)
        self.m, self.tau = m, tau
        self.opt = torch.optim.SGD(self.student.parameters(), lr=0.1, momentum=0.9)
        self.smooth_loss = None

    @torch.no_grad()
    def _ema(self):
        for t, s in zip(self.teacher.parameters(), self.student.parameters()):
            t.copy_(self.m * t + (1 - self.m) * s)
        for t, s in zip(self.teacher.buffers(), self.student.buffers()):
            t.copy_(s)

    def _track(self, loss):
        v = loss.detach()
        self.smooth_loss = v if self.smooth_loss is None else 0.95 * self.smooth_loss + 0.05 * v

    def step(self, view_a, view_b):
        q = self.student(view_a)
        k = self.teacher(view_b)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.keys.T
        logits = torch.cat([pos, neg], dim=1) / self.tau
        loss = F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self._ema()
        self.queue.push(k)
        self._track(loss)


def windows(n, proto):
    c = torch.randint(len(proto), (n,))
    base = proto[c] + 0.5 * torch.randn(n, proto.size(1))
    aug = lambda z: z * (1 + 0.1 * torch.randn(n, 1)) + 0.2 * torch.randn_like(z)
    return aug(base), aug(base), c


@torch.no_grad()
def knn_probe(enc, proto):
    enc.eval()
    xa, _, ya = windows(300, proto)
    xb, _, yb = windows(100, proto)
    near = (enc(xb) @ enc(xa).T).argmax(1)
    enc.train()
    return (ya[near] == yb).float().mean().item()


if __name__ == "__main__":
    torch.manual_seed(33)
    protos = 1.2 * torch.randn(8, 30)
    pre = Pretrainer()
    for it in range(120):
        a, b, _ = windows(64, protos)
        pre.step(a, b)
        if it % 30 == 0:
            print(f"it {it:3d} smoothed loss {pre.smooth_loss.item():.3f} 1-nn {knn_probe(pre.teacher, protos):.2f}")
