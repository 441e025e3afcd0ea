# gradwatch-corpus: kind=none
import copy
import math
from collections import defaultdict, deque

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


def cosine_alphas(T):
    t = torch.linspace(0, 1, T + 1)
    ac = torch.cos((t + 0.008) / 1.008 * math.pi / 2) ** 2
    return (ac / ac[0]).clamp(1e-4, 0.9999)[1:]


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c1, self.c2 = nn.Conv1d(c, c, 3, padding=1), nn.Conv1d(c, c, 3, padding=1)
        self.n1, self.n2 = nn.GroupNorm(4, c), nn.GroupNorm(4, c)
        self.emb = nn.Linear(32, c)

    def forward(self, x, e):
        h = self.c1(torch.nn.functional.silu(self.n1(x))) + self.emb(e)[..., None]
        return x + self.c2(torch.nn.functional.silu(self.n2(h)))


class UNet1d(nn.Module):
    def __init__(self, c=16, depth=3):
        super().__init__()
        self.inp = nn.Conv1d(2, c, 3, padding=1)
        self.blocks = nn.ModuleList([Block(c) for _ in range(depth)])
        self.out = nn.Conv1d(c, 1, 1)

    def embed(self, t):
        f = torch.exp(-torch.arange(16) * math.log(1000) / 16)
        a = t[:, None] * f
        return torch.cat([a.sin(), a.cos()], 1)

    def forward(self, x, t, cond):
        h, e = self.inp(torch.cat([x, cond], 1)), self.embed(t)
        for blk in self.blocks:
            h = checkpoint(blk, h, e, use_reentrant=False) if self.training else blk(h, e)
        return self.out(h)


class EMA:
    def __init__(self, model, decay=0.98):
        self.decay = decay
        self.shadow = copy.deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.copy_(self.decay * s + (1 - self.decay) * p)


class LossByNoise:
    """Recent losses by noise level."""

    def __init__(self, buckets, keep=20):
        self.buckets = buckets
        self.table = defaultdict(lambda: deque(maxlen=keep))

    def add(self, t, T, losses):
        for k, l in zip((t * self.buckets // T).tolist(), losses.detach().clone()):
            self.table[k].append(l)

    def summary(self):
        return {k: round(torch.stack(list(v)).mean().item(), 3) for k, v in sorted(self.table.items())}


def waves(n, length=32):
    x = torch.linspace(0, 2 * math.pi, length)
    k = torch.randint(1, 4, (n, 1)).float()
    return torch.sin(k * x + 6.28 * torch.rand(n, 1)).unsqueeze(1)


class Trainer:
    def __init__(self, T=100):
        self.T, self.ac = T, cosine_alphas(T)
        self.net = UNet1d()
        self.ema = EMA(self.net)
        self.opt = torch.optim.Adam(self.net.parameters(), lr=2e-3)
        self.stats = LossByNoise(5)

    def step(self, x0):
        t = torch.randint(0, self.T, (len(x0),))
        a = self.ac[t][:, None, None]
        xt = a.sqrt() * x0 + (1 - a).sqrt() * torch.randn_like(x0)
        cond = torch.zeros_like(x0)
        if torch.rand(()) < 0.5:
            with torch.no_grad():
                cond = self.net(xt, t, cond)
        per_item = (self.net(xt, t, cond) - x0).pow(2).mean((1, 2))
        loss = per_item.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.ema.update(self.net)
        self.stats.add(t, self.T, per_item)
        return loss.item()

    @torch.no_grad()
    def sample(self, n, steps=8):
        x, cond = torch.randn(n, 1, 32), torch.zeros(n, 1, 32)
        ts = torch.linspace(self.T - 1, 0, steps).long()
        for i, t in enumerate(ts):
            cond = self.ema.shadow(x, t.repeat(n), cond)
            if i + 1 < steps:
                a, b = self.ac[t], self.ac[ts[i + 1]]
                eps = (x - a.sqrt() * cond) / (1 - a).sqrt()
                x = b.sqrt() * cond + (1 - b).sqrt() * eps
        return cond


if __name__ == "__main__":
    torch.manual_seed(33)
    tr = Trainer()
    for it in range(120):
        loss = tr.step(waves(16))
        if it % 40 == 39:
            print(it + 1, round(loss, 4), tr.stats.summary(), "sample std %.3f" % tr.sample(4).std().item())
