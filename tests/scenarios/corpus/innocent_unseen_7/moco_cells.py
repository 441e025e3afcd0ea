# gradwatch-corpus: kind=none
# about: negatives from earlier iterations enter the loss, but the setter of the `negatives` property cuts them and the queue has a fixed length
"""MoCo style pretraining on single cell expression profiles with dropout augmentation."""
import copy
from functools import wraps

import torch
import torch.nn as nn
import torch.nn.functional as F

GENES, LATENT, BATCH = 120, 32, 64


def frozen(fn):
    @wraps(fn)
    def call(*a, **k):
        with torch.no_grad():
            return fn(*a, **k)
    return call


class Cells:
    def __init__(self, kinds=12, seed=14):
        self.g = torch.Generator().manual_seed(seed)
        self.program = torch.rand(kinds, GENES, generator=self.g) ** 4 * 6

    def views(self, n):
        kind = torch.randint(0, len(self.program), (n,), generator=self.g)
        depth = 0.5 + torch.rand(n, 1, generator=self.g)
        counts = torch.poisson(self.program[kind] * depth, generator=self.g).log1p()
        masks = (torch.rand(2, n, GENES, generator=self.g) > 0.25).float()
        return counts * masks[0], counts * masks[1], kind


class MoCo(nn.Module):
    def __init__(self, length=1024, m=0.99, tau=0.15):
        super().__init__()
        self.query_net = nn.Sequential(nn.Linear(GENES, 96), nn.ReLU(), nn.Linear(96, LATENT))
        self.key_net = copy.deepcopy(self.query_net)
        self.length, self.m, self.tau = length, m, tau
        self._negatives = F.normalize(torch.randn(length, LATENT), dim=1)

    @property
    def negatives(self):
        return self._negatives

    @negatives.setter
    def negatives(self, value):
        self._negatives = value[-self.length:].detach()

    @frozen
    def drift(self):
        for k, q in zip(self.key_net.parameters(), self.query_net.parameters()):
            k.mul_(self.m).add_(q, alpha=1 - self.m)

    @frozen
    def keys(self, x):
        order = torch.randperm(len(x))
        return F.normalize(self.key_net(x[order]), dim=1)[order.argsort()]

    def forward(self, xa, xb):
        q = F.normalize(self.query_net(xa), dim=1)
        k = self.keys(xb)
        near = (q * k).sum(1, keepdim=True)
        far = q @ self.negatives.t()
        logits = torch.cat([near, far], 1) / self.tau
        # half of the slots get the query side (both views are symmetric here)
        self.negatives = torch.cat([self.negatives, k, q[::2]])
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


@frozen
def knn_purity(model, cells, k=5):
    x, _, kind = cells.views(240)
    z = F.normalize(model.query_net(x), dim=1)
    nb = (z @ z.t()).fill_diagonal_(-2).topk(k).indices
    return (kind[nb] == kind[:, None]).float().mean().item()


def main():
    torch.manual_seed(14)
    cells, model = Cells(), MoCo()
    opt = torch.optim.Adam(model.query_net.parameters(), lr=1e-3)
    smooth = 0.0
    for i in range(350):
        xa, xb, _ = cells.views(BATCH)
        loss = model(xa, xb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        model.drift()
        smooth += 0.05 * (loss.detach() - smooth)
        if i % 50 == 0:
            print(f"{i:4d} nce {smooth.item():.3f} purity {knn_purity(model, cells):.3f}")


if __name__ == "__main__":
    main()
