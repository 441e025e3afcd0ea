# gradwatch-corpus: kind=none
"""Flow-matching on the latents of a small autoencoder; EMA weights, loss EMA, staged training."""
import math
from copy import deepcopy

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(26)


class EMA:
    def __init__(self, model, decay):
        self.decay, self.updates = decay, 0
        self.shadow = deepcopy(model).eval().requires_grad_(False)

    @torch.no_grad()
    def update(self, model):
        self.updates += 1
        d = min(self.decay, (1 + self.updates) / (10 + self.updates))
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - d)


class Smooth:
    def __init__(self, beta=0.95):
        self.beta, self.v, self.n = beta, torch.zeros(()), 0

    def __call__(self, x):
        self.n += 1
        self.v = self.beta * self.v + (1 - self.beta) * x.detach()
        return self.v / (1 - self.beta**self.n)


class Auto(nn.Module):
    def __init__(self, d=32, z=4):
        super().__init__()
        self.enc = nn.Sequential(nn.Linear(d, 32), nn.SiLU(), nn.Linear(32, 2 * z))
        self.dec = nn.Sequential(nn.Linear(z, 32), nn.SiLU(), nn.Linear(32, d))

    def encode(self, x):
        mu, logv = self.enc(x).chunk(2, -1)
        return mu + torch.randn_like(mu) * (0.5 * logv).exp(), mu, logv

    def loss(self, x):
        z, mu, logv = self.encode(x)
        kl = -0.5 * (1 + logv - mu.square() - logv.exp()).sum(-1).mean()
        return F.mse_loss(self.dec(z), x) + 1e-3 * kl


class Velocity(nn.Module):
    def __init__(self, z=4, h=48):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(z + 3, h), nn.SiLU(), nn.Linear(h, h), nn.SiLU(), nn.Linear(h, z))

    def forward(self, x, t):
        return self.net(torch.cat([x, t, torch.sin(math.pi * t), torch.cos(math.pi * t)], -1))

    def loss(self, x1):
        x0, t = torch.randn_like(x1), torch.rand(len(x1), 1)
        return F.mse_loss(self((1 - t) * x0 + t * x1, t), x1 - x0)


def signals(n, d=32):
    t = torch.linspace(0, 1, d)
    return torch.sin(2 * torch.pi * (1 + torch.randint(0, 3, (n, 1))) * t + torch.rand(n, 1))


@torch.no_grad()
def sample(model, n, steps=10):
    x = torch.randn(n, 4)
    for k in range(steps):
        x = x + model(x, torch.full((n, 1), k / steps)) / steps
    return x


def main():
    auto, flow = Auto(), Velocity()
    ema = EMA(flow, 0.98)
    for model, steps, feed in ((auto, 50, lambda x: x), (flow, 80, lambda x: auto.encode(x)[0].detach())):
        opt = torch.optim.AdamW(model.parameters(), lr=3e-3)
        warm = torch.optim.lr_scheduler.LambdaLR(opt, lambda s: min(1.0, (s + 1) / 10))
        smooth = Smooth()
        for _ in range(steps):
            loss = model.loss(feed(signals(48)))
            opt.zero_grad()
            loss.backward()
            opt.step()
            warm.step()
            shown = smooth(loss)
            if model is flow:
                ema.update(flow)
        print(f"{type(model).__name__}: {shown.item():.4f}")
    with torch.no_grad():
        out = auto.dec(sample(ema.shadow, 64))
    print(f"sample power {out.square().mean().item():.3f} (data {signals(64).square().mean().item():.3f})")


if __name__ == "__main__":
    main()
