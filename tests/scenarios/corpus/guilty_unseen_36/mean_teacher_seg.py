# gradwatch-corpus: kind=graph-chain
# holder: self.weights | teacher.weights | self.teacher.weights | trainer.teacher.weights
# first-bad: 1
# Semi-supervised strip segmentation with a mean teacher.
import itertools
from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn
from torch.func import functional_call

torch.set_num_threads(1)


@dataclass
class Cfg:
    classes: int = 4
    length: int = 48
    batch: int = 8
    steps: int = 90
    ema: float = 0.02
    cons_weight: float = 0.5
    lr: float = 3e-3


class StripNet(nn.Module):
    def __init__(self, classes):
        super().__init__()
        self.down = nn.Conv1d(1, 12, 5, padding=2)
        self.mid = nn.Conv1d(12, 12, 3, padding=1)
        self.head = nn.Conv1d(12, classes, 1)

    def forward(self, x):
        h = F.relu(self.down(x))
        return self.head(F.relu(self.mid(h)))


class MeanTeacher:
    def __init__(self, student, rate):
        self.student = student
        self.rate = rate
        self.weights = {k: p.detach().clone() for k, p in student.named_parameters()}

    def update(self):
        self.weights = {k: torch.lerp(self.weights[k], p, self.rate)  # <- culprit
                        for k, p in self.student.named_parameters()}

    def __call__(self, x):
        return functional_call(self.student, self.weights, (x,))


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.net = StripNet(cfg.classes)
        self.teacher = MeanTeacher(self.net, cfg.ema)
        self.opt = torch.optim.SGD(self.net.parameters(), lr=cfg.lr, momentum=0.9)

    def batch(self):
        c = self.cfg
        edges = torch.rand(c.batch, c.classes - 1).sort(1).values * c.length
        pos = torch.arange(c.length).expand(c.batch, -1)
        y = (pos.unsqueeze(-1) > edges.unsqueeze(1)).sum(-1)
        x = y.float().unsqueeze(1) + 0.4 * torch.randn(c.batch, 1, c.length)
        return x, y

    def step(self):
        self.teacher.update()
        x, y = self.batch()
        u, _ = self.batch()
        sup = F.cross_entropy(self.net(x), y)
        soft = F.softmax(self.teacher(u), 1)
        cons = F.mse_loss(F.softmax(self.net(u + 0.1 * torch.randn_like(u)), 1), soft)
        loss = sup + self.cfg.cons_weight * cons
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return {"sup": sup.item(), "cons": cons.item()}

    def fit(self):
        for i in itertools.count():
            if i == self.cfg.steps:
                break
            logs = self.step()
            if i % 30 == 0:
                print(i, " ".join(f"{k}={v:.4f}" for k, v in logs.items()))


if __name__ == "__main__":
    torch.manual_seed(0)
    trainer = Trainer(Cfg())
    trainer.fit()
