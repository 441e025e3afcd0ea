# gradwatch-corpus: kind=none
"""Two-tower retrieval with micro-batches, a negative queue and a momentum tower."""
import copy

import torch
from torch import nn
import torch.nn.functional as F


class Tower(nn.Module):
    def __init__(self, cin, dim=16):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(cin, 32), nn.ReLU(), nn.Linear(32, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class MomentumQueue:
    def __init__(self, tower, size=96, dim=16, m=0.98):
        self.tower = copy.deepcopy(tower)
        self.tower.requires_grad_(False)
        self.keys = F.normalize(torch.randn(size, dim), dim=1)
        self.m = m

    def encode(self, x):
        return self.tower(x)

    def enqueue(self, k):
        self.keys = torch.cat([k, self.keys])[: self.keys.size(0)]

    @torch.no_grad()
    def follow(self, tower):
        for slow, fast in zip(self.tower.parameters(), tower.parameters()):
            slow.mul_(self.m).add_(fast, alpha=1 - self.m)


class Accumulator:
    def __init__(self, opt, every):
        self.opt, self.every, self.count = opt, every, 0
        self.pending = []

    def backward(self, loss):
        (loss / self.every).backward()
        self.pending.append(loss)
        self.count += 1
        if self.count % self.every:
            return None
        self.opt.step()
        self.opt.zero_grad()
        mean = torch.stack(self.pending).mean().item()
        self.pending = []
        return mean


def paired_views(gen, proj_a, proj_b, n=12):
    z = torch.randn(n, 6, generator=gen)
    noise = lambda p: 0.1 * torch.randn(n, p.size(1), generator=gen)
    return z @ proj_a + noise(proj_a), z @ proj_b + noise(proj_b)


def main(micro_steps=1000, every=2, temperature=0.1):
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(4)
    proj_a, proj_b = torch.randn(6, 10, generator=gen), torch.randn(6, 14, generator=gen)
    query, doc = Tower(10), Tower(14)
    queue = MomentumQueue(doc)
    opt = torch.optim.Adam([*query.parameters(), *doc.parameters()], lr=2e-3)
    acc = Accumulator(opt, every)
    curve = []
    for step in range(micro_steps):
        a, b = paired_views(gen, proj_a, proj_b)
        q, d = query(a), doc(b)
        k = queue.encode(b)
        inbatch = q @ d.t() / temperature
        logits = torch.cat([inbatch, q @ queue.keys.t() / temperature], 1)
        target = torch.arange(len(a))
        loss = F.cross_entropy(logits, target) + 0.5 * F.cross_entropy(inbatch.t(), target)
        queue.enqueue(k)
        done = acc.backward(loss)
        if done is not None:
            queue.follow(doc)
            curve.append(done)
            if len(curve) % 100 == 0:
                print(f"update {len(curve)} loss {sum(curve[-100:]) / 100:.4f}")


if __name__ == "__main__":
    main()
