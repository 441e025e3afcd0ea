# gradwatch-corpus: kind=none
"""Full-epoch gradient: the losses of the twelve parts are folded by itertools.accumulate and walked once."""
from collections import deque
from itertools import accumulate, chain, repeat
import operator

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(100)

PARTS = 12


class PitchModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.offset = nn.Parameter(torch.zeros(PARTS))
        self.net = nn.Sequential(nn.Linear(3, 10), nn.Tanh(), nn.Linear(10, 1))

    def forward(self, part, context):
        return self.net(context).squeeze(-1) + self.offset[part]


def last(it):
    return deque(it, maxlen=1).pop()


def recordings():
    detune = 0.3 * torch.randn(PARTS)
    for part in range(PARTS):
        context = torch.randn(9, 3)
        yield part, context, detune[part] + 0.4 * torch.sin(context.sum(-1))


model = PitchModel()
opt = torch.optim.Rprop(model.parameters(), lr=1e-3)
score = list(recordings())
for epoch in range(600):
    parts = ((model(p, c) - y).square().mean() for p, c, y in score)
    total = last(accumulate(parts, operator.add))
    opt.zero_grad()
    (total / PARTS).backward()
    opt.step()
    if epoch % 150 == 149:
        print(epoch + 1, total.item() / PARTS)
