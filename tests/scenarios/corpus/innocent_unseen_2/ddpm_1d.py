# gradwatch-corpus: kind=none
"""DDPM on 1-d signals with loss-aware timestep sampling (history of floats) and periodic sampling."""
import math
import torch
from torch import nn


class LossAware:
    def __init__(self, T, keep=4):
        self.h = [[] for _ in range(T)]
        self.keep = keep

    def sample(self, n):
        if all(len(v) == self.keep for v in self.h):
            w = torch.tensor([math.sqrt(sum(x * x for x in v) / self.keep) for v in self.h]) + 1e-3
            return torch.multinomial(w, n, True)
        return torch.randint(0, len(self.h), (n,))

    def update(self, t, l):
        for i, v in zip(t.tolist(), l.tolist()):
            self.h[i] = (self.h[i] + [v])[-self.keep:]


class Eps(nn.Module):
    def __init__(self, L=16, h=48):
        super().__init__()
        self.t = nn.Embedding(20, 16)
        self.net = nn.Sequential(nn.Linear(L + 16, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, L))

    def forward(self, x, t):
        return self.net(torch.cat([x, self.t(t)], 1))


@torch.no_grad()
def sample(net, ab, n=4):
    x, b = torch.randn(n, 16), 1 - ab / torch.cat([ab.new_ones(1), ab[:-1]])
    frames = []
    for t in reversed(range(20)):
        e = net(x, torch.full((n,), t))
        x = (x - b[t] / (1 - ab[t]).sqrt() * e) / (1 - b[t]).sqrt() + (b[t].sqrt() * torch.randn_like(x) if t else 0)
        frames.append(x)
    return frames


torch.manual_seed(33)
ab = torch.cumprod(1 - torch.linspace(0.01, 0.3, 20), 0)
net, sampler = Eps(), LossAware(20)
opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
for it in range(170):
    x0 = torch.sin(torch.arange(16.) * 0.4 + 6.28 * torch.rand(32, 1))
    t, e = sampler.sample(32), torch.randn(32, 16)
    a = ab[t][:, None]
    each = (net(a.sqrt() * x0 + (1 - a).sqrt() * e, t) - e).pow(2).mean(1)
    loss = each.mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    sampler.update(t, each.detach())
    if it % 40 == 0:
        print(it, "%.4f" % loss.item(), "sample std %.3f" % sample(net, ab)[-1].std().item())
