# gradwatch-corpus: kind=inplace-modified
# first-bad: 10
# notice: 0
"""Shard matching: embeddings of pottery photographs against a bank of earlier ones."""
import torch
import torch.nn.functional as F
from torch import nn

from bank import Bank

torch.set_num_threads(1)
torch.manual_seed(33)


def shards(kilns=12, dim=18, batch=16):
    style = torch.randn(kilns, dim)
    while True:
        kiln = torch.randint(0, kilns, (batch,))
        first = style[kiln] + 0.6 * torch.randn(batch, dim)
        second = style[kiln] + 0.6 * torch.randn(batch, dim)
        yield first, second


class Matcher:
    def __init__(self, dim=18, out=8, slots=160, warmup=10):
        self.net = nn.Sequential(nn.Linear(dim, 32), nn.ReLU(), nn.Linear(32, out))
        self.bank = Bank(slots, out)
        self.warmup = warmup
        self.opt = torch.optim.Adam(self.net.parameters(), lr=3e-3)

    def logits(self, a, b, step):
        scores = a @ b.T
        if step >= self.warmup:
            scores = torch.cat([scores, self.bank.against(a)], 1)
        return scores / 0.2

    def step(self, step, first, second):
        a = F.normalize(self.net(first), dim=1)
        b = F.normalize(self.net(second), dim=1)
        loss = F.cross_entropy(self.logits(a, b, step), torch.arange(len(a)))
        self.bank.push(b.detach())  # <- culprit
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


matcher = Matcher()
for step, (first, second) in enumerate(shards()):
    if step == 80:
        break
    value = matcher.step(step, first, second)
    if step % 5 == 0:
        print(f"{step:3d} {value:.3f} bank filled {matcher.bank.filled}")
