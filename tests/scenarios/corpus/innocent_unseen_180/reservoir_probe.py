# gradwatch-corpus: kind=none
"""Contrastive encoder; uniform reservoir of embeddings per split for a collapse check."""
import random

import torch
import torch.nn.functional as F
from torch import nn


class Reservoir:
    """Algorithm R."""

    def __init__(self, k, seed):
        self.k = k
        self.rng = random.Random(seed)
        self.items = []
        self.n = 0

    def offer(self, item):
        self.n += 1
        if len(self.items) < self.k:
            self.items.append(item)
            return True
        j = self.rng.randrange(self.n)
        if j < self.k:
            self.items[j] = item
            return True
        return False

    def __iter__(self):
        return iter(self.items)


class Encoder(nn.Module):
    def __init__(self, d_in=20, d_out=8):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d_in, 40), nn.ReLU(), nn.Linear(40, d_out))

    def forward(self, x):
        return F.normalize(self.f(x), dim=-1)


def info_nce(a, b, tau=0.2):
    sims = a @ b.t() / tau
    return F.cross_entropy(sims, torch.arange(a.size(0)))


def effective_rank(reservoir):
    with torch.no_grad():
        z = torch.cat([e for _, e in reservoir])
        s = torch.linalg.svdvals(z - z.mean(0))
        p = s / s.sum()
        return torch.exp(-(p * (p + 1e-9).log()).sum()).item()


def main():
    torch.manual_seed(41)
    mix = torch.randn(6, 20)
    enc = Encoder()
    opt = torch.optim.Adam(enc.parameters(), lr=1e-3, weight_decay=1e-4)
    anchors = Reservoir(20, seed=1)
    objectives = Reservoir(12, seed=2)
    for it in range(640):
        base = torch.randn(24, 6) @ mix
        a = enc(base + 0.2 * torch.randn_like(base))
        b = enc(base + 0.2 * torch.randn_like(base))
        loss = info_nce(a, b)
        opt.zero_grad()
        loss.backward()
        opt.step()
        anchors.offer((it, a))
        objectives.offer((it, loss))
        if it % 128 == 127:
            ages = [it - i for i, _ in anchors]
            avg = sum(l.item() for _, l in objectives) / len(objectives.items)
            print(f"{it + 1} loss {loss.item():.3f} sampled {avg:.3f} rank {effective_rank(anchors):.2f} mean age {sum(ages) / len(ages):.0f}")


if __name__ == "__main__":
    main()
