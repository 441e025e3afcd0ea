# gradwatch-corpus: kind=none
"""Contrastive training on ceramic tile textures, EMA key encoder, bank of negatives."""
import copy
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


def conv_net(dim):
    return nn.Sequential(
        nn.Conv2d(1, 8, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Conv2d(8, 16, 3, stride=2, padding=1),
        nn.ReLU(),
        nn.Flatten(),
        nn.Linear(16 * 16, dim),
    )


class TileMoco:
    def __init__(self, dim=16, n_batches=12, m=0.97, temp=0.2):
        self.student = conv_net(dim)
        self.shadow = copy.deepcopy(self.student).requires_grad_(False)
        self.bank = deque(maxlen=n_batches)
        self.m = m
        self.temp = temp

    @torch.no_grad()
    def follow(self):
        for s, p in zip(self.shadow.parameters(), self.student.parameters()):
            s.lerp_(p, 1 - self.m)

    @torch.no_grad()
    def embed_keys(self, x):
        return F.normalize(self.shadow(x), dim=1)

    def loss(self, a, b):
        q = F.normalize(self.student(a), dim=1)
        k = self.embed_keys(b)
        pos = (q * k).sum(1, keepdim=True)
        if self.bank:
            negatives = torch.cat(list(self.bank))
        else:
            negatives = k.roll(1, dims=0)
        logits = torch.cat([pos, q @ negatives.t()], dim=1) / self.temp
        self.bank.append(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long)), q


def textures(n):
    u = torch.linspace(0, 6.28, 16)
    fx = torch.randint(1, 6, (n, 1, 1)).float()
    fy = torch.randint(1, 6, (n, 1, 1)).float()
    return torch.sin(fx * u[None, None, :]) * torch.cos(fy * u[None, :, None])


def view(x):
    x = torch.roll(x, (int(torch.randint(0, 16, (1,))), int(torch.randint(0, 16, (1,)))), dims=(1, 2))
    if torch.rand(1) < 0.5:
        x = x.flip(2)
    return (x + 0.1 * torch.randn_like(x))[:, None]


def main():
    torch.manual_seed(12)
    moco = TileMoco()
    opt = torch.optim.AdamW(moco.student.parameters(), lr=2e-3)
    tracker = {"loss": [], "spread": []}
    for step in range(120):
        x = textures(32)
        loss, q = moco.loss(view(x), view(x))
        opt.zero_grad()
        loss.backward()
        opt.step()
        moco.follow()
        tracker["loss"].append(loss.detach())
        tracker["spread"].append(q.detach().std(dim=0).mean().item())
        if step % 24 == 23:
            block = torch.stack(tracker["loss"][-24:])
            print(step + 1, f"loss {block.mean():.4f}", f"spread {tracker['spread'][-1]:.4f}")


if __name__ == "__main__":
    main()
