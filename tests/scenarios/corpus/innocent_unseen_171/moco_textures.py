# gradwatch-corpus: kind=none
"""Momentum contrast on synthetic fabric textures, with a queue of negative keys."""
import copy
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


def fabrics(n, size=16, seed=0):
    g = torch.Generator().manual_seed(seed)
    u = torch.arange(size).float()
    fx = 0.4 + 1.6 * torch.rand(n, 1, 1, generator=g)
    fy = 0.4 + 1.6 * torch.rand(n, 1, 1, generator=g)
    weave = torch.sin(fx * u[None, None, :]) * torch.sin(fy * u[None, :, None])
    return weave.unsqueeze(1)


def view(x):
    shift = int(torch.randint(0, 16, ()))
    x = torch.roll(x, shift, dims=-1)
    if torch.rand(()) < 0.5:
        x = x.flip(-1)
    return x + 0.15 * torch.randn_like(x)


class Encoder(nn.Module):
    def __init__(self, dim=32):
        super().__init__()
        self.f = nn.Sequential(nn.Conv2d(1, 16, 3, stride=2, padding=1), nn.ReLU(),
                               nn.Conv2d(16, 24, 3, stride=2, padding=1), nn.ReLU(),
                               nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(96, dim))

    def forward(self, x):
        return F.normalize(self.f(x), dim=-1)


class MoCo:
    def __init__(self, momentum=0.98, temperature=0.15, banks=30):
        self.q = Encoder()
        self.k = copy.deepcopy(self.q)
        self.momentum, self.temperature = momentum, temperature
        self.keys = deque(maxlen=banks)
        self.losses = deque(maxlen=50)

    @torch.no_grad()
    def _follow(self):
        for a, b in zip(self.k.parameters(), self.q.parameters()):
            a.mul_(self.momentum).add_(b, alpha=1 - self.momentum)

    def loss(self, x):
        q = self.q(view(x))
        with torch.no_grad():
            self._follow()
            k = self.k(view(x))
        pos = (q * k).sum(1, keepdim=True)
        logits = pos
        if self.keys:
            logits = torch.cat([pos, q @ torch.cat(list(self.keys)).T], dim=1)
        else:
            logits = torch.cat([pos, q @ k.roll(1, 0).T], dim=1)
        self.keys.append(k)
        out = F.cross_entropy(logits / self.temperature, torch.zeros(len(x), dtype=torch.long))
        self.losses.append(out)
        return out

    def recent(self):
        return torch.stack(list(self.losses)).mean().item()


def main():
    torch.manual_seed(1)
    x = fabrics(600, seed=1)
    moco = MoCo()
    opt = torch.optim.SGD(moco.q.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
    for step in range(700):
        loss = moco.loss(x[torch.randint(len(x), (32,))])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if step % 100 == 99:
            print(f"step {step + 1}: contrastive {moco.recent():.4f}  "
                  f"negatives {sum(len(k) for k in moco.keys)}")


if __name__ == "__main__":
    main()
