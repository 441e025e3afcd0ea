# gradwatch-corpus: kind=none
"""Self-supervised leaf descriptors: an online network follows a slow copy of itself."""
import copy

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(13)


class Slow:
    def __init__(self, online, tau):
        self.net = copy.deepcopy(online)
        self.tau = tau

    def __call__(self, x):
        return self.net(x).detach()

    def follow(self, online):
        with torch.no_grad():
            for mine, theirs in zip(self.net.parameters(), online.parameters()):
                mine.mul_(self.tau).add_(theirs, alpha=1 - self.tau)


def views(n=20):
    leaf = torch.randn(n, 16).cumsum(1) * 0.3
    return tuple(leaf * (1 + 0.1 * torch.randn(n, 1)) + 0.1 * torch.randn_like(leaf) for _ in range(2))


online = nn.Sequential(nn.Linear(16, 20), nn.LayerNorm(20), nn.ReLU(), nn.Linear(20, 8))
predictor = nn.Linear(8, 8)
slow = Slow(online, 0.98)
opt = torch.optim.AdamW([*online.parameters(), *predictor.parameters()], lr=2e-3)
total = 0.0
for step in range(1, 801):
    a, b = views()
    loss = 0
    for x, y in ((a, b), (b, a)):
        loss = loss - F.cosine_similarity(predictor(online(x)), slow(y)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    slow.follow(online)
    total += loss.item()
    if step % 160 == 0:
        print(step, total / step)
