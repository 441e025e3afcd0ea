# gradwatch-corpus: kind=second-backward
# holder: negatives | self.negatives | bank.negatives | past
# first-bad: 8
"""Vehicle re-identification by contrast: two views of each car, negatives from the most recent batches."""
from collections import deque
from dataclasses import dataclass, field

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Bank:
    batches: int = 8
    negatives: deque = field(init=False)

    def __post_init__(self):
        self.negatives = deque(maxlen=self.batches)

    @property
    def usable(self):
        return len(self.negatives) == self.negatives.maxlen

    def stack(self):
        return torch.cat(tuple(self.negatives))

    def take(self, codes):
        self.negatives.append(codes)  # <- culprit


class Coder(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(40, 64), nn.ReLU(), nn.Linear(64, 16))

    def forward(self, v):
        return F.normalize(self.f(v), dim=1)


def cars(n=16):
    core = torch.randn(n, 40)
    return core + 0.4 * torch.randn(n, 40), core + 0.4 * torch.randn(n, 40)


def contrast(q, k, past, temp=0.2):
    pos = (q * k).sum(1, keepdim=True)
    neg = q @ past.T if past is not None else q @ k.roll(1, 0).T * (1 - torch.eye(len(q)))
    return F.cross_entropy(torch.cat([pos, neg], 1) / temp, torch.zeros(len(q), dtype=torch.long))


def main():
    torch.manual_seed(29)
    coder, bank = Coder(), Bank()
    opt = torch.optim.SGD(coder.parameters(), lr=0.1, momentum=0.9)
    for it in range(200):
        one, two = cars()
        q, k = coder(one), coder(two)
        loss = contrast(q, k, bank.stack() if bank.usable else None)
        bank.take(k)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 4 == 0:
            print(it, "nce", round(loss.item(), 4))


if __name__ == "__main__":
    main()
