# gradwatch-corpus: kind=graph-unused
# first-bad: 0
"""
Galaxy morphology toy: 3 classes of synthetic 20x20 stamps. Next to the accuracy we follow how well the
network agrees with itself under the symmetries of the square (flips and quarter turns).
"""
import math
from itertools import product

import torch
import torch.nn.functional as F
from torch import nn


def stamp_batch(n, gen, side=20):
    ax = torch.linspace(-1, 1, side)
    yy, xx = torch.meshgrid(ax, ax, indexing="ij")
    kind = torch.randint(0, 3, (n,), generator=gen)
    turn = (torch.rand(n, generator=gen) * math.pi).view(-1, 1, 1)
    u = xx * turn.cos() + yy * turn.sin()
    v = -xx * turn.sin() + yy * turn.cos()
    smooth = torch.exp(-(u ** 2 + v ** 2) / 0.15)
    edge_on = torch.exp(-(u ** 2) / 0.4 - (v ** 2) / 0.02)
    r = (u ** 2 + v ** 2 + 1e-4).sqrt()
    spiral = torch.exp(-r ** 2 / 0.3) * (1 + torch.cos(2 * torch.atan2(v, u) - 7 * r)) / 2
    stack = torch.stack([smooth, edge_on, spiral], dim=1)
    img = stack[torch.arange(n), kind] + 0.15 * torch.randn(n, side, side, generator=gen)
    return img.unsqueeze(1), kind


SYMMETRIES = [
    (lambda im, q=q, m=m: torch.rot90(im.flip(-1) if m else im, q, dims=(-2, -1)))
    for q, m in product(range(4), (False, True))
]


class Morphology(nn.Module):
    def __init__(self):
        super().__init__()
        layers, c = [], 1
        for width in (8, 16, 16):
            layers += [nn.Conv2d(c, width, 3, stride=2, padding=1), nn.GroupNorm(4, width), nn.SiLU()]
            c = width
        self.conv = nn.Sequential(*layers)
        self.cls = nn.Linear(c, 3)

    def forward(self, img):
        return self.cls(self.conv(img).mean(dim=(-2, -1)))


class Gauge:
    def __init__(self, beta=0.97):
        self.value, self.weight, self.beta = 0.0, 0.0, beta

    def push(self, number):
        self.value = self.beta * self.value + (1 - self.beta) * number
        self.weight = self.beta * self.weight + (1 - self.beta)

    def __float__(self):
        return self.value / max(self.weight, 1e-9)


def self_agreement(net, img):
    votes = torch.stack([net(move(img)).softmax(dim=1) for move in SYMMETRIES])  # <- culprit
    centre = votes.mean(dim=0, keepdim=True)
    return 1.0 - (votes - centre).abs().sum(dim=-1).mean().item() / 2


def main(updates=320):
    torch.manual_seed(9)
    gen = torch.Generator().manual_seed(10)
    net = Morphology()
    opt = torch.optim.AdamW(net.parameters(), lr=4e-3)
    plan = torch.optim.lr_scheduler.OneCycleLR(opt, 8e-3, total_steps=updates)
    acc, agree = Gauge(), Gauge()
    for u in range(1, updates + 1):
        img, kind = stamp_batch(24, gen)
        logits = net(img)
        cost = F.cross_entropy(logits, kind, label_smoothing=0.05)
        opt.zero_grad()
        cost.backward()
        opt.step()
        plan.step()
        acc.push((logits.argmax(1) == kind).float().mean().item())
        agree.push(self_agreement(net, img[:8]))
        if u % 64 == 0:
            print(f"update {u:4d}  cost {cost.item():.4f}  accuracy {float(acc):.3f}  agreement {float(agree):.3f}")


if __name__ == "__main__":
    main()
