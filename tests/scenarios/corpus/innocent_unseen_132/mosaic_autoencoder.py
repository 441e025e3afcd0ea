# gradwatch-corpus: kind=none
"""Archaeology dept.: code book for mosaic patches.  Coder and painter take turns being
frozen; a slow copy of the coder is what we ship."""
import copy
from contextlib import contextmanager

import torch
import torch.nn as nn

torch.set_num_threads(1)


@contextmanager
def frozen(module):
    for p in module.parameters():
        p.requires_grad = False
    try:
        yield module
    finally:
        for p in module.parameters():
            p.requires_grad = True


class Quantise(nn.Module):
    def __init__(self, k=8, dim=5):
        super().__init__()
        self.book = nn.Embedding(k, dim)

    def forward(self, z):
        near = torch.cdist(z, self.book.weight).argmin(1)
        q = self.book(near)
        commit = (z - q.detach()).pow(2).mean() + (z.detach() - q).pow(2).mean()
        return z + (q - z).detach(), commit


def patches(n):
    kind = torch.randint(0, 4, (n,))
    base = torch.linspace(-1, 1, 16).roll(0).repeat(n, 1)
    return torch.sign(torch.sin(base * (kind + 1).unsqueeze(1) * 3)) + 0.2 * torch.randn(n, 16)


@torch.no_grad()
def follow(slow, fast, rate=0.02):
    for s, f in zip(slow.parameters(), fast.parameters()):
        s.mul_(1 - rate).add_(f, alpha=rate)


def main():
    torch.manual_seed(79)
    coder = nn.Sequential(nn.Linear(16, 12), nn.ReLU(), nn.Linear(12, 5))
    quant = Quantise()
    painter = nn.Sequential(nn.Linear(5, 12), nn.ReLU(), nn.Linear(12, 16))
    shipped = copy.deepcopy(coder).requires_grad_(False)
    everything = [*coder.parameters(), *quant.parameters(), *painter.parameters()]
    opt = torch.optim.Adam(everything, lr=2e-3)
    for step in range(1500):
        resting = painter if (step // 50) % 2 else coder
        with frozen(resting):
            x = patches(20)
            q, commit = quant(coder(x))
            rebuild = (painter(q) - x).pow(2).mean()
            loss = rebuild + 0.25 * commit
            opt.zero_grad()
            loss.backward()
            opt.step()
        follow(shipped, coder)
        if step % 250 == 0:
            with torch.inference_mode():
                gap = (shipped(x) - coder(x)).abs().mean().item()
            print(step, f"rebuild {rebuild.item():.3f} commit {commit.item():.3f} lag {gap:.3f}")


if __name__ == "__main__":
    main()
