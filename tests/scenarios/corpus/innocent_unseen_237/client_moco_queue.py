# gradwatch-corpus: kind=none
# Momentum-contrast pretraining of client profiles from two noisy views of the account features.
import copy
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(71)

DIM_IN = 40
DIM_OUT = 16
QUEUE_BATCHES = 10
TAU = 0.2
STEPS = 140


def two_views(n):
    segment = torch.randint(0, 8, (n,))
    base = CENTRES[segment] + 0.3 * torch.randn(n, DIM_IN)
    mask = lambda x: x * (torch.rand_like(x) > 0.2)
    return mask(base), mask(base)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(DIM_IN, 64), nn.ReLU(), nn.Linear(64, DIM_OUT))

    def forward(self, x):
        return F.normalize(self.net(x), dim=1)


class MomentumPair:
    def __init__(self, encoder, m=0.99):
        self.query = encoder
        self.key = copy.deepcopy(encoder).requires_grad_(False)
        self.m = m
        self.queue = deque(maxlen=QUEUE_BATCHES)

    @torch.no_grad()
    def follow(self):
        for q, k in zip(self.query.parameters(), self.key.parameters()):
            k.mul_(self.m).add_(q, alpha=1 - self.m)

    @torch.no_grad()
    def keys(self, x):
        return self.key(x)

    def loss(self, xq, xk):
        q = self.query(xq)
        k = self.keys(xk)
        pos = (q * k).sum(1, keepdim=True)
        if self.queue:
            neg = q @ torch.cat(list(self.queue)).t()
        else:
            neg = q @ k.roll(1, 0).t()
        logits = torch.cat([pos, neg], 1) / TAU
        self.queue.append(k)
        return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


CENTRES = torch.randn(8, DIM_IN)
pair = MomentumPair(Encoder())
opt = torch.optim.SGD(pair.query.parameters(), lr=0.05, momentum=0.9)
results = {"step": [], "nce": [], "n_neg": []}

for step in range(STEPS):
    loss = pair.loss(*two_views(64))
    opt.zero_grad()
    loss.backward()
    opt.step()
    pair.follow()
    results["step"].append(step)
    results["nce"].append(loss.item())
    results["n_neg"].append(64 * len(pair.queue))
    if step % 35 == 0:
        print(f"step {step} nce={loss.item():.3f} negatives={results['n_neg'][-1]}")
