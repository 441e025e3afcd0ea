# gradwatch-corpus: kind=memory-climb
# holder: noise_for
# first-bad: 1
"""DDPM on CT-like phantoms. The noise of a step is a pure function of (seed, step) so that
two runs with different networks see the same targets."""
import functools
import math

import torch
import torch.nn as nn
import torch.nn.functional as F

SEED, SIZE, BATCH, T = 77, 40, 96, 200
torch.manual_seed(SEED)


@functools.lru_cache(maxsize=None)  # <- culprit
def noise_for(seed, step, shape):
    g = torch.Generator().manual_seed(seed * 100003 + step)
    return torch.randn(shape, generator=g)  # <- culprit


@functools.lru_cache(maxsize=None)
def schedule(steps, s=0.008):
    t = torch.linspace(0, 1, steps + 1)
    f = torch.cos((t + s) / (1 + s) * math.pi / 2) ** 2
    return (f / f[0]).clamp(1e-4, 0.9999)


@functools.lru_cache(maxsize=4)
def coords(n):
    a = torch.linspace(-1, 1, n)
    return torch.meshgrid(a, a, indexing="ij")


def phantom(n):
    yy, xx = coords(SIZE)
    img = torch.zeros(n, SIZE, SIZE)
    for _ in range(2):
        cx, cy, rx, ry = (torch.rand(4, n, 1, 1) * 0.6 + 0.1).unbind(0)
        img += ((((xx - cx + 0.4) / rx) ** 2 + ((yy - cy + 0.4) / ry) ** 2) < 1).float() * 0.5
    return img.unsqueeze(1) * 2 - 1


class TinyDenoiser(nn.Module):
    def __init__(self, ch=10):
        super().__init__()
        self.down = nn.Conv2d(1, ch, 5, stride=4, padding=2)
        self.time = nn.Sequential(nn.Linear(8, ch), nn.SiLU(), nn.Linear(ch, ch))
        self.mid = nn.Conv2d(ch, ch, 3, padding=1)
        self.up = nn.ConvTranspose2d(ch, 1, 4, stride=4)
        self.register_buffer("freq", 2.0 ** torch.arange(4))

    def forward(self, x, t):
        a = t.float().unsqueeze(1) / T * self.freq
        e = self.time(torch.cat([a.sin(), a.cos()], 1))
        h = F.silu(self.down(x) + e[:, :, None, None])
        h = h + F.silu(self.mid(h))
        return self.up(h)


class Bench:
    def __init__(self, net):
        self.net = net
        self.ab = schedule(T)
        self.opt = torch.optim.AdamW(net.parameters(), lr=2e-3)
        self.ema = {k: v.clone() for k, v in net.state_dict().items()}

    def loss(self, step):
        x0 = phantom(BATCH)
        t = torch.randint(0, T, (BATCH,))
        eps = noise_for(SEED, step, tuple(x0.shape))
        ab = self.ab[t].view(-1, 1, 1, 1)
        xt = ab.sqrt() * x0 + (1 - ab).sqrt() * eps
        w = (ab / (1 - ab)).clamp(max=5.0)
        return (w * (self.net(xt, t) - eps) ** 2).mean()

    def step(self, k):
        value = self.loss(k)
        self.opt.zero_grad(set_to_none=True)
        value.backward()
        self.opt.step()
        with torch.no_grad():
            for key, v in self.net.state_dict().items():
                self.ema[key].lerp_(v, 0.01)
        return value.item()


if __name__ == "__main__":
    bench = Bench(TinyDenoiser())
    run = 0.0
    for k in range(340):
        run = 0.95 * run + 0.05 * bench.step(k)
        if k % 60 == 0:
            print(f"step {k:4d} loss {run / (1 - 0.95 ** (k + 1)):.4f}")
    print("ema norm", sum(v.norm().item() for v in bench.ema.values()))
