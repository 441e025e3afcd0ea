# gradwatch-corpus: kind=none
"""DDPM on the swiss roll, with EMA weights for sampling."""
import copy
import math

import torch
import torch.nn as nn

torch.set_num_threads(1)
torch.manual_seed(35)


def swiss(n):
    t = 1.5 * math.pi * (1 + 2 * torch.rand(n))
    return torch.stack([t * t.cos(), t * t.sin()], 1) / 10 + 0.02 * torch.randn(n, 2)


class TimeMLP(nn.Module):
    def __init__(self, T, h=64):
        super().__init__()
        self.emb = nn.Embedding(T, h)
        self.inp = nn.Linear(2, h)
        self.mid = nn.ModuleList(nn.Linear(h, h) for _ in range(2))
        self.out = nn.Linear(h, 2)

    def forward(self, x, t):
        h = self.inp(x)
        e = self.emb(t)
        for layer in self.mid:
            h = h + torch.relu(layer(h + e))
        return self.out(h)


class EMA:
    def __init__(self, model, decay=0.99):
        self.decay = decay
        self.model = copy.deepcopy(model).eval().requires_grad_(False)

    def update(self, model):
        with torch.no_grad():
            for e, p in zip(self.model.parameters(), model.parameters()):
                e.lerp_(p, 1 - self.decay)


class Diffusion:
    def __init__(self, T=40):
        self.T = T
        self.beta = torch.linspace(1e-3, 0.15, T)
        self.abar = torch.cumprod(1 - self.beta, 0)

    def loss(self, model, x):
        t = torch.randint(0, self.T, (len(x),))
        a = self.abar[t][:, None]
        eps = torch.randn_like(x)
        return (model(a.sqrt() * x + (1 - a).sqrt() * eps, t) - eps).pow(2).mean()

    @torch.no_grad()
    def sample(self, model, n):
        x = torch.randn(n, 2)
        for t in reversed(range(self.T)):
            eps = model(x, torch.full((n,), t))
            x = (x - self.beta[t] / (1 - self.abar[t]).sqrt() * eps) / (1 - self.beta[t]).sqrt()
            if t:
                x += self.beta[t].sqrt() * torch.randn_like(x)
        return x


model, diff = TimeMLP(40), Diffusion()
ema = EMA(model)
opt = torch.optim.Adam(model.parameters(), lr=2e-3)
running = None
for step in range(150):
    loss = diff.loss(model, swiss(128))
    opt.zero_grad()
    loss.backward()
    opt.step()
    ema.update(model)
    running = loss.item() if running is None else 0.97 * running + 0.03 * loss.item()
    if step % 50 == 49:
        s = diff.sample(ema.model, 64)
        print(step, "loss %.3f" % running, "sample std", [round(v, 2) for v in s.std(0).tolist()])
