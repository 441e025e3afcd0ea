# gradwatch-corpus: kind=none
"""MoCo on synthetic views, with a key queue and a guard that looks at the last few batches when
the loss spikes."""
import copy
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


class KeyQueue(nn.Module):
    def __init__(self, dim, size):
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=1))
        self.ptr = 0

    def snapshot(self):
        return self.keys.clone()

    def enqueue(self, k):
        n = k.shape[0]
        self.keys[self.ptr:self.ptr + n] = k
        self.ptr = (self.ptr + n) % self.keys.shape[0]


class MoCo(nn.Module):
    def __init__(self, d_in=48, dim=32, size=1024, m=0.98, tau=0.1):
        super().__init__()
        self.online = nn.Sequential(nn.Linear(d_in, 128), nn.BatchNorm1d(128), nn.ReLU(), nn.Linear(128, dim))
        self.momentum = copy.deepcopy(self.online).requires_grad_(False)
        self.queue = KeyQueue(dim, size)
        self.m, self.tau = m, tau

    def follow(self):
        for slow, fast in zip(self.momentum.parameters(), self.online.parameters()):
            slow.mul_(self.m).add_(fast.detach(), alpha=1 - self.m)

    def forward(self, xq, xk):
        q = F.normalize(self.online(xq), dim=1)
        self.follow()
        k = F.normalize(self.momentum(xk), dim=1)
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.queue.snapshot().t()
        logits = torch.cat([pos, neg], dim=1) / self.tau
        self.queue.enqueue(k)
        return logits


class SpikeGuard:
    """Keeps the last few logits as they are, so that a spike can be looked into."""

    def __init__(self, depth=6, factor=1.6):
        self.recent = deque(maxlen=depth)
        self.level = None
        self.factor = factor
        self.reports = []

    def __call__(self, it, logits, loss):
        self.recent.append((it, logits, loss))
        value = loss.item()
        if self.level is not None and value > self.factor * self.level:
            margins = [(l[:, 0] - l[:, 1:].max(1).values).mean().item() for _, l, _ in self.recent]
            self.reports.append((it, value, margins))
        self.level = value if self.level is None else 0.95 * self.level + 0.05 * value


class ViewSource:
    def __init__(self, n, dim):
        self.x = torch.randn(n, 8) @ torch.randn(8, dim)

    def pair(self, batch):
        x = self.x[torch.randint(0, len(self.x), (batch,))]
        return tuple(x * (torch.rand_like(x) > 0.15) + 0.2 * torch.randn_like(x) for _ in range(2))


@torch.no_grad()
def retrieval(model, source):
    model.eval()
    a, b = source.pair(256)
    za, zb = F.normalize(model.online(a), dim=1), F.normalize(model.online(b), dim=1)
    model.train()
    return ((za @ zb.t()).argmax(1) == torch.arange(256)).float().mean().item()


def main():
    torch.manual_seed(0)
    source, model, guard = ViewSource(4000, 48), MoCo(), SpikeGuard()
    opt = torch.optim.SGD(model.online.parameters(), lr=0.06, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.CosineAnnealingLR(opt, 240)
    for it in range(240):
        logits = model(*source.pair(128))
        loss = F.cross_entropy(logits, torch.zeros(len(logits), dtype=torch.long))
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        guard(it, logits, loss)
        if it % 40 == 0:
            print(f"it {it:3d} loss {loss.item():.3f} retrieval {retrieval(model, source):.3f}")
    print("spikes:", [(it, round(v, 2)) for it, v, _ in guard.reports][:4])


if __name__ == "__main__":
    main()
