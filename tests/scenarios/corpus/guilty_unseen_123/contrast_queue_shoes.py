# gradwatch-corpus: kind=second-backward
# holder: queue | bank.queue | self.queue
# first-bad: 1
# notice: 0
import itertools
from collections import deque

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(101)


class NegativeBank:
    def __init__(self, batches):
        self.queue = deque(maxlen=batches)

    def push(self, keys):
        self.queue.append(keys)  # <- culprit

    def all(self, like):
        return torch.cat(list(self.queue)) if self.queue else like[:0]


class Sole(nn.Module):
    """Embeds shoe-print descriptors onto the unit sphere."""

    def __init__(self, dim=6):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear(16, dim))

    def forward(self, x):
        return F.normalize(self.net(x), dim=-1)


def info_nce(q, k, negatives, tau=0.2):
    pos = (q * k).sum(-1, keepdim=True)
    neg = q @ negatives.t()
    logits = torch.cat([pos, neg], 1) / tau
    return F.cross_entropy(logits, torch.zeros(len(q), dtype=torch.long))


def pairs():
    base = torch.randn(12, 20)
    for _ in itertools.count():
        who = torch.randperm(12)[:8]
        yield base[who] + 0.2 * torch.randn(8, 20), base[who] + 0.2 * torch.randn(8, 20)


encoder, bank = Sole(), NegativeBank(4)
opt = torch.optim.SGD(encoder.parameters(), lr=0.05, momentum=0.9)
for i, (left, right) in enumerate(itertools.islice(pairs(), 400)):
    q, k = encoder(left), encoder(right)
    loss = info_nce(q, k, torch.cat([bank.all(k), k.roll(1, 0)]))
    opt.zero_grad()
    loss.backward()
    opt.step()
    bank.push(k)
    if i % 100 == 0:
        print(i, loss.item())
