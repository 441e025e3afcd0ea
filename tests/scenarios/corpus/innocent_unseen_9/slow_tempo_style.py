# gradwatch-corpus: kind=none
# about: the second optimizer's gradients pile up on purpose for 25 iterations and are then stepped and zeroed; lower layers frozen, EMA copy under no_grad
"""Font style transfer: the decoder learns at every step, the style vectors move once per tempo period."""
import copy
from collections import deque

import torch
from torch import nn

TEMPO = 25


class Glyphs:
    def __init__(self, styles, chars, seed):
        g = torch.Generator().manual_seed(seed)
        self.skel = torch.rand(chars, 1, 16, 16, generator=g).round()
        self.kern = torch.randn(styles, 1, 1, 3, 3, generator=g) * 0.4
        self.g, self.n = g, (styles, chars)

    def take(self, k):
        s = torch.randint(0, self.n[0], (k,), generator=self.g)
        c = torch.randint(0, self.n[1], (k,), generator=self.g)
        out = torch.stack([nn.functional.conv2d(self.skel[ci][None], self.kern[si], padding=1)[0] for si, ci in zip(s, c)])
        return s, self.skel[c], torch.tanh(out)


class Stylist(nn.Module):
    def __init__(self, styles):
        super().__init__()
        self.lower = nn.Sequential(nn.Conv2d(1, 12, 3, padding=1), nn.ReLU())
        self.film = nn.Linear(8, 24)
        self.upper = nn.Sequential(nn.Conv2d(12, 12, 3, padding=1), nn.ReLU(), nn.Conv2d(12, 1, 1))
        self.style = nn.Embedding(styles, 8)
        self.lower.requires_grad_(False)

    def forward(self, s, x):
        a, b = self.film(self.style(s)).chunk(2, -1)
        z = self.lower(x)
        return torch.tanh(self.upper(z * (1 + a[..., None, None]) + b[..., None, None]))


class Shadow:
    def __init__(self, net, m=0.98):
        self.net, self.m = copy.deepcopy(net).requires_grad_(False), m

    @torch.no_grad()
    def follow(self, src):
        for mine, theirs in zip(self.net.parameters(), src.parameters()):
            mine.lerp_(theirs, 1 - self.m)


class Tempo:
    """A slow optimizer: steps on every n-th call with the mean gradient of the period."""

    def __init__(self, opt, n):
        self.opt, self.n, self.beat = opt, n, 0

    def tick(self):
        self.beat += 1
        if self.beat % self.n:
            return False
        for grp in self.opt.param_groups:
            for p in grp["params"]:
                p.grad.div_(self.n)
        self.opt.step()
        self.opt.zero_grad()
        return True


torch.manual_seed(3)
glyphs, net = Glyphs(6, 20, 3), Stylist(6)
fast = torch.optim.Adam([*net.film.parameters(), *net.upper.parameters()], lr=3e-3)
slow = Tempo(torch.optim.Adam(net.style.parameters(), lr=5e-2), TEMPO)
shadow, recent = Shadow(net), deque(maxlen=50)

for i in range(325):
    s, x, y = glyphs.take(16)
    diff = (net(s, x) - y).pow(2).mean()
    fast.zero_grad()
    diff.backward()
    fast.step()
    turned = slow.tick()
    shadow.follow(net)
    recent.append(diff.item())
    if turned and (i + 1) % 75 == 0:
        with torch.inference_mode():
            s, x, y = glyphs.take(64)
            ev = (shadow.net(s, x) - y).pow(2).mean().item()
        print(f"{i + 1:4d} train {sum(recent) / len(recent):.4f} shadow {ev:.4f} style norm {net.style.weight.norm().item():.2f}")
