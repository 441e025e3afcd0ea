# gradwatch-corpus: kind=grads-accumulate
# first-bad: 1
import copy
import functools
import math

import torch
import torch.nn as nn

SIGMA = 8.0


def marginal_prob_std(t, sigma):
    return torch.sqrt((sigma ** (2 * t) - 1) / (2 * math.log(sigma)))


def diffusion_coeff(t, sigma):
    return sigma ** t


class GaussianFourierProjection(nn.Module):
    def __init__(self, dim, scale=6.0):
        super().__init__()
        self.W = nn.Parameter(torch.randn(dim // 2) * scale, requires_grad=False)

    def forward(self, t):
        p = t[:, None] * self.W[None] * 2 * math.pi
        return torch.cat([p.sin(), p.cos()], -1)


class ScoreNet(nn.Module):
    def __init__(self, std_fn, width=32, emb=16):
        super().__init__()
        self.embed = nn.Sequential(GaussianFourierProjection(emb), nn.Linear(emb, width), nn.SiLU())
        self.inp, self.mid, self.out = nn.Linear(2, width), nn.Linear(width, width), nn.Linear(width, 2)
        self.std_fn = std_fn

    def forward(self, x, t):
        e = self.embed(t)
        h = nn.functional.silu(self.inp(x) + e)
        h = nn.functional.silu(self.mid(h) + e)
        return self.out(h) / self.std_fn(t)[:, None]


def loss_fn(model, x, std_fn, eps=1e-4):
    t = torch.rand(x.shape[0]) * (1 - eps) + eps
    z = torch.randn_like(x)
    std = std_fn(t)[:, None]
    score = model(x + z * std, t)
    return ((score * std + z) ** 2).sum(1).mean()


class EMA:
    def __init__(self, model, decay=0.99):
        self.shadow, self.decay = copy.deepcopy(model).requires_grad_(False), decay

    @torch.no_grad()
    def update(self, model):
        for s, p in zip(self.shadow.parameters(), model.parameters()):
            s.lerp_(p, 1 - self.decay)


@torch.no_grad()
def euler_maruyama(model, n, std_fn, diff_fn, steps=60, eps=1e-3):
    x = torch.randn(n, 2) * std_fn(torch.ones(1))
    ts = torch.linspace(1.0, eps, steps)
    dt = ts[0] - ts[1]
    for t in ts:
        g = diff_fn(t)
        drift = g ** 2 * model(x, t.expand(n))
        x = x + drift * dt + torch.sqrt(dt) * g * torch.randn_like(x)
    return x


def two_moons(n, g):
    a = math.pi * torch.rand(n, generator=g)
    flip = (torch.rand(n, generator=g) < 0.5).float()
    x = torch.stack([a.cos() + flip * (1 - 2 * a.cos()), a.sin() + flip * (0.5 - 2 * a.sin())], 1)
    return x + 0.05 * torch.randn(n, 2, generator=g)


def main(iterations=430, batch=64):
    torch.manual_seed(0)
    g = torch.Generator().manual_seed(99)
    std_fn = functools.partial(marginal_prob_std, sigma=SIGMA)
    diff_fn = functools.partial(diffusion_coeff, sigma=SIGMA)
    model = ScoreNet(std_fn)
    ema = EMA(model)
    optimizer = torch.optim.Adam([p for p in model.parameters() if p.requires_grad], lr=1e-3)
    running = None
    for i in range(iterations):
        loss = loss_fn(model, two_moons(batch, g), std_fn)
        loss.backward()  # <- culprit
        optimizer.step()  # <- culprit
        ema.update(model)
        running = loss.item() if running is None else 0.97 * running + 0.03 * loss.item()
        if i % 100 == 0:
            print(f"{i:4d} loss {running:.4f}")
    sample = euler_maruyama(ema.shadow, 64, std_fn, diff_fn)
    print("sample mean", sample.mean(0).tolist())


if __name__ == "__main__":
    main()
