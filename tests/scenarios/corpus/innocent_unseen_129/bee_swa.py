# gradwatch-corpus: kind=none
import copy
from dataclasses import dataclass

import torch
from torch import nn
from torch.optim.swa_utils import AveragedModel, SWALR

torch.set_num_threads(1)
torch.manual_seed(59)


@dataclass
class Tail:
    start: int
    every: int


class Dance(nn.Module):
    """Angle and distance of the waggle dance from a short trace."""

    def __init__(self):
        super().__init__()
        self.trace = nn.GRU(2, 10, batch_first=True)
        self.norm = nn.BatchNorm1d(10)
        self.out = nn.Linear(10, 2)

    def forward(self, t):
        return self.out(self.norm(self.trace(t)[0][:, -1]))


class Snapshots:
    def __init__(self, room):
        self.room, self.kept = room, []

    def offer(self, score, model):
        self.kept.append((score, {k: v.clone() for k, v in model.state_dict().items()}))
        self.kept.sort(key=lambda kv: kv[0])
        del self.kept[self.room:]


class Hive:
    def __init__(self, tail):
        self.net = Dance()
        self.tail = tail
        self.average = AveragedModel(self.net)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.05, momentum=0.9)
        self.swa_lr = SWALR(self.opt, swa_lr=0.01, anneal_epochs=5)
        self.best = Snapshots(3)

    def traces(self, n=20):
        a = torch.rand(n) * 3
        steps = torch.stack([a.cos(), a.sin()], 1)[:, None] + 0.3 * torch.randn(n, 7, 2)
        return steps.cumsum(1) * 0.3, torch.stack([a.cos(), a.sin()], 1)

    def run(self, n):
        for i in range(n):
            t, y = self.traces()
            loss = (self.net(t) - y).square().mean()
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            if i >= self.tail.start and i % self.tail.every == 0:
                self.average.update_parameters(self.net)
                self.swa_lr.step()
                self.best.offer(loss.item(), self.net)

    def judge(self):
        frozen = copy.deepcopy(self.average)
        torch.optim.swa_utils.update_bn([self.traces()[0] for _ in range(5)], frozen)
        with torch.no_grad():
            t, y = self.traces(200)
            return (frozen(t) - y).square().mean().item()


hive = Hive(Tail(300, 4))
hive.run(800)
print(hive.judge(), [round(s, 3) for s, _ in hive.best.kept])
