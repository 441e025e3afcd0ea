# gradwatch-corpus: kind=graph-held
# holder: EDMToy.level_code | self.level_code | net.level_code
# first-bad: 1
"""EDM-style denoiser on 2-D pinwheel data; one noise level per batch, log-normal schedule, EMA copy for sampling."""
import math
import random
from functools import lru_cache

import torch
import torch.nn as nn

SIGMA_DATA = 0.9


def pinwheel(n, arms=5):
    arm = torch.randint(0, arms, (n,)).float()
    r = 0.3 + 0.35 * torch.randn(n).abs()
    ang = 2 * math.pi * arm / arms + 0.9 * r + 0.08 * torch.randn(n)
    return torch.stack([r * ang.cos(), r * ang.sin()], dim=1) * 1.6


class EDMToy(nn.Module):
    def __init__(self, width=96):
        super().__init__()
        self.register_buffer("freqs", torch.exp(torch.linspace(0, 4, 16)))
        self.level_mlp = nn.Sequential(nn.Linear(32, width), nn.SiLU(), nn.Linear(width, width))
        self.enter = nn.Linear(2, width)
        self.mid = nn.ModuleList(nn.Linear(width, width) for _ in range(3))
        self.leave = nn.Linear(width, 2)

    @lru_cache(maxsize=None)  # <- culprit
    def level_code(self, sigma):
        """The sampler asks for the same few levels again and again."""
        c_noise = math.log(sigma) / 4
        ang = self.freqs * c_noise
        return self.level_mlp(torch.cat([ang.sin(), ang.cos()]))  # <- culprit

    def forward(self, noisy, sigma):
        c_in = 1 / math.sqrt(sigma ** 2 + SIGMA_DATA ** 2)
        c_skip = SIGMA_DATA ** 2 / (sigma ** 2 + SIGMA_DATA ** 2)
        c_out = sigma * SIGMA_DATA * c_in
        h = self.enter(c_in * noisy) + self.level_code(sigma)
        for layer in self.mid:
            h = h + torch.nn.functional.silu(layer(h))
        return c_skip * noisy + c_out * self.leave(h)


@torch.no_grad()
def ema_into(slow, fast, decay):
    for s, f in zip(slow.parameters(), fast.parameters()):
        s.lerp_(f, 1 - decay)


@torch.no_grad()
def heun_sample(net, n, levels):
    x = torch.randn(n, 2) * levels[0]
    for hi, lo in zip(levels, levels[1:]):
        slope = (x - net(x, hi)) / hi
        trial = x + (lo - hi) * slope
        slope2 = (trial - net(trial, lo)) / lo
        x = x + (lo - hi) * 0.5 * (slope + slope2)
    return x


def train(steps=320, batch=128, seed=23):
    random.seed(seed)
    torch.manual_seed(seed)
    net, slow = EDMToy(), EDMToy()
    slow.load_state_dict(net.state_dict())
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    ladder = [8.0 * (0.02 / 8.0) ** (i / 11) for i in range(12)]
    recent = 0.0
    for it in range(1, steps + 1):
        sigma = math.exp(random.gauss(-1.2, 1.2))
        clean = pinwheel(batch)
        noisy = clean + sigma * torch.randn_like(clean)
        weight = (sigma ** 2 + SIGMA_DATA ** 2) / (sigma * SIGMA_DATA) ** 2
        loss = weight * (net(noisy, sigma) - clean).pow(2).mean()
        opt.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        opt.step()
        ema_into(slow, net, 0.99)
        recent += (loss.item() - recent) / min(it, 50)
        if it % 80 == 0:
            print(f"{it:4d} weighted mse {recent:.4f}")
    pts = heun_sample(slow, 400, ladder)
    print("sample radius mean/std: %.3f %.3f" % (pts.norm(dim=1).mean(), pts.norm(dim=1).std()))


if __name__ == "__main__":
    train()
