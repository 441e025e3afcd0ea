# gradwatch-corpus: kind=graph-held
# holder: trainer.complaints | self.complaints | trainer.complaints[i].__traceback__
# first-bad: 1
# notice: 8
"""Keyword spotting on synthetic chirps, with a confidence audit after every step."""
import math

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(5)


class LowMargin(RuntimeError):
    pass


def chirps(n, length=128):
    y = torch.randint(0, 4, (n,))
    t = torch.linspace(0, 1, length)
    f0 = 4.0 + 3.0 * y[:, None].float()
    wave = torch.sin(2 * math.pi * (f0 * t + 2.0 * t**2)) + 1.4 * torch.randn(n, length)
    return wave[:, None], y


class Spotter(nn.Module):
    def __init__(self):
        super().__init__()
        self.front = nn.Conv1d(1, 8, 9, stride=4)
        self.mid = nn.Conv1d(8, 8, 5, stride=2)
        self.head = nn.Linear(8, 4)

    def forward(self, wave):
        h = self.mid(self.front(wave).relu()).relu()
        return self.head(h.mean(-1))


def audit(logits, floor):
    top2 = logits.softmax(1).topk(2, dim=1).values
    margin = top2[:, 0] - top2[:, 1]
    if margin.min() < floor:
        raise LowMargin(f"{int((margin < floor).sum())} clips under {floor}")


class Trainer:
    def __init__(self, net):
        self.net = net
        self.opt = torch.optim.SGD(net.parameters(), lr=0.05, momentum=0.9)
        self.crit = nn.CrossEntropyLoss()
        self.complaints = []

    def step(self, wave, y):
        logits = self.net(wave)
        loss = self.crit(logits, y)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        try:
            audit(logits, floor=0.4)
        except LowMargin as err:
            self.complaints.append(err)  # <- culprit
        return loss.item()


trainer = Trainer(Spotter())
for it in range(300):
    value = trainer.step(*chirps(16))
    if it % 60 == 59:
        print(it, round(value, 3), len(trainer.complaints), trainer.complaints[-1])
