# gradwatch-corpus: kind=none
"""Bootstrap-your-own-latent on toy vectors: online net chases a moving average of itself."""
import copy
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


def mlp(a, h, b):
    return nn.Sequential(nn.Linear(a, h), nn.BatchNorm1d(h), nn.ReLU(), nn.Linear(h, b))


class MovingTarget:
    def __init__(self, source, base=0.97, total=100):
        self.source, self.base, self.total = source, base, total
        self.module = copy.deepcopy(source).requires_grad_(False)
        self.calls = 0

    @property
    def decay(self):
        return 1 - (1 - self.base) * (math.cos(math.pi * self.calls / self.total) + 1) / 2

    @torch.no_grad()
    def update(self):
        for t, s in zip(self.module.parameters(), self.source.parameters()):
            t.lerp_(s, 1 - self.decay)
        for t, s in zip(self.module.buffers(), self.source.buffers()):
            t.copy_(s)
        self.calls += 1

    def __call__(self, x):
        return self.module(x)


class Byol(nn.Module):
    def __init__(self, width=28, dim=12):
        super().__init__()
        self.online = mlp(width, 40, dim)
        self.predictor = mlp(dim, 24, dim)
        self.__dict__["target"] = MovingTarget(self.online)
        self.register_buffer("center", torch.zeros(dim))
        self.spread = []

    def regress(self, a, b):
        p = F.normalize(self.predictor(self.online(a)), dim=-1)
        z = F.normalize(self.target(b) - self.center, dim=-1)
        return 2 - 2 * (p * z).sum(-1).mean()

    def forward(self, a, b):
        loss = self.regress(a, b) + self.regress(b, a)
        with torch.no_grad():
            z = self.target(a)
            self.center = 0.9 * self.center + 0.1 * z.mean(0)
            self.spread.append(z.std(0).mean())
        return loss


def views(base):
    return [base * (torch.rand_like(base) > 0.15) + 0.1 * torch.randn_like(base) for _ in range(2)]


def main():
    torch.manual_seed(0)
    proto = torch.randn(10, 28)
    net = Byol()
    opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
    for it in range(100):
        base = proto[torch.randint(0, 10, (32,))] + 0.2 * torch.randn(32, 28)
        loss = net(*views(base))
        opt.zero_grad()
        loss.backward()
        opt.step()
        net.target.update()
        if it % 20 == 0:
            print(f"{it:3d} loss {loss.item():.4f} decay {net.target.decay:.4f} spread {net.spread[-1].item():.3f}")


if __name__ == "__main__":
    main()
