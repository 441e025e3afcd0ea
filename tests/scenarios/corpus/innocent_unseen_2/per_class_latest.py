# gradwatch-corpus: kind=none
"""Class-balanced training; for each class the latest loss is at hand for the sampler."""
import torch
from torch import nn

torch.manual_seed(22)
C = 5


class Sampler:
    def __init__(self):
        self.latest = {}

    def note(self, per_class):
        self.latest.update(per_class)

    def draw(self, n):
        w = torch.ones(C)
        for c, l in self.latest.items():
            w[c] = l.item() + 0.1
        return torch.multinomial(w, n, replacement=True)


mu = torch.randn(C, 6)
net = nn.Sequential(nn.Linear(6, 24), nn.ReLU(), nn.Linear(24, C))
opt = torch.optim.SGD(net.parameters(), 0.1)
sampler = Sampler()
for i in range(170):
    y = sampler.draw(40)
    x = mu[y] + 0.7 * torch.randn(40, 6)
    each = nn.functional.cross_entropy(net(x), y, reduction="none")
    per = {int(c): each[y == c].mean() for c in y.unique()}
    loss = sum(per.values()) / len(per)
    opt.zero_grad()
    loss.backward()
    opt.step()
    sampler.note(per)
    if i % 34 == 0:
        print(i, {c: round(l.item(), 3) for c, l in sorted(sampler.latest.items())})
