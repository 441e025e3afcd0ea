# gradwatch-corpus: kind=none
# about: every activation of every step goes into a registry, but it is a WeakValueDictionary: entries vanish with the step's graph; only floats stay
"""Small diffusion model on 2-D spirals with activation taps for a post-mortem of dead units."""
import collections
import math
import weakref

import torch
from torch import nn


class TapRegistry:
    def __init__(self):
        self.live = weakref.WeakValueDictionary()
        self.series = collections.defaultdict(list)
        self.clock = 0

    def note(self, name, act):
        self.live[(self.clock, name)] = act
        return act

    def tick(self):
        for (when, name), act in list(self.live.items()):
            self.series[name].append((when, (act.detach() < 0).float().mean().item()))
        self.clock += 1


class Eps(nn.Module):
    def __init__(self, taps, h=96):
        super().__init__()
        self.taps = taps
        self.freq = 2.0 ** torch.arange(5)
        self.mid = nn.ModuleList([nn.Linear(12, h), nn.Linear(h, h), nn.Linear(h, h)])
        self.end = nn.Linear(h, 2)

    def forward(self, x, t):
        a = t[:, None] * self.freq * math.pi
        z, acts = torch.cat([x, a.sin(), a.cos()], 1), []
        for k, lin in enumerate(self.mid):
            z = self.taps.note(f"mid{k}", nn.functional.silu(lin(z)))
            acts.append(z)
        return self.end(z), acts


def spiral(n, g):
    r = torch.rand(n, generator=g).sqrt() * 3
    a = r * 2.2 + math.pi * torch.randint(0, 2, (n,), generator=g)
    return torch.stack([r * a.cos(), r * a.sin()], 1) / 2 + 0.03 * torch.randn(n, 2, generator=g)


def alpha(t):
    return torch.cos(t * math.pi / 2)[:, None], torch.sin(t * math.pi / 2)[:, None]


@torch.no_grad()
def sample(net, n, g, k=20):
    x = torch.randn(n, 2, generator=g)
    for s in range(k, 0, -1):
        t = torch.full((n,), (s - 0.5) / k)
        t2 = torch.full((n,), max((s - 1.5) / k, 0.0))
        (a, b), (a2, b2) = alpha(t), alpha(t2)
        e, _ = net(x, t)
        x = a2 * ((x - b * e) / a.clamp_min(0.05)) + b2 * e
    return x


g = torch.Generator().manual_seed(44)
torch.manual_seed(44)
taps = TapRegistry()
eps = Eps(taps)
adam = torch.optim.Adam(eps.parameters(), lr=2e-3)
ema = None
for it in range(320):
    x0 = spiral(192, g)
    t = torch.rand(192, generator=g)
    a, b = alpha(t)
    noise = torch.randn(192, 2, generator=g)
    guess, acts = eps(a * x0 + b * noise, t)
    mse = (guess - noise).pow(2).mean()
    calm = sum(z.pow(2).mean() for z in acts)
    adam.zero_grad()
    (mse + 1e-4 * calm).backward()
    adam.step()
    taps.tick()
    ema = mse.item() if ema is None else 0.97 * ema + 0.03 * mse.item()
    if it % 80 == 79:
        s = sample(eps, 100, g)
        neg = {k: round(v[-1][1], 2) for k, v in taps.series.items()}
        print(f"{it + 1} mse {ema:.4f} radius {s.norm(dim=1).mean():.2f} negative share {neg} live {len(taps.live)}")
