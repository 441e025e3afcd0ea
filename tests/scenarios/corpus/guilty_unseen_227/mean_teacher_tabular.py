# gradwatch-corpus: kind=graph-chain
# holder: self.shadow | self.teacher.shadow | trainer.teacher.shadow
# first-bad: 1
"""Mean-teacher consistency training on a semi-supervised tabular problem."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


@dataclass
class Config:
    n_features: int = 24
    n_classes: int = 4
    hidden: int = 48
    labelled: int = 32
    unlabelled: int = 96
    momentum: float = 0.95
    weight: float = 0.5
    steps: int = 110
    seed: int = 5


class Net(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.inp = nn.Linear(cfg.n_features, cfg.hidden)
        self.mid = nn.Linear(cfg.hidden, cfg.hidden)
        self.head = nn.Linear(cfg.hidden, cfg.n_classes)

    def forward(self, x):
        h = F.gelu(self.inp(x))
        h = h + F.gelu(self.mid(h))
        return self.head(h)


class Teacher:
    def __init__(self, student, momentum):
        self.student = student
        self.rate = 1.0 - momentum
        self.shadow = {k: p.detach().clone() for k, p in student.named_parameters()}

    def update(self):
        fresh = {}
        for name, p in self.student.named_parameters():
            fresh[name] = torch.lerp(self.shadow[name], p, self.rate)  # <- culprit
        self.shadow = fresh  # <- culprit

    def __call__(self, x):
        return functional_call(self.student, self.shadow, (x,))  # <- culprit


class Trainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = Net(cfg)
        self.teacher = Teacher(self.model, cfg.momentum)
        self.opt = torch.optim.AdamW(self.model.parameters(), lr=2e-3)
        self.protos = torch.randn(cfg.n_classes, cfg.n_features)

    def batch(self, n):
        y = torch.randint(0, self.cfg.n_classes, (n,))
        x = self.protos[y] + 1.2 * torch.randn(n, self.cfg.n_features)
        return x, y

    def ramp(self, step):
        return self.cfg.weight * min(1.0, (step + 1) / 40)

    def step(self, step):
        x, y = self.batch(self.cfg.labelled)
        u, _ = self.batch(self.cfg.unlabelled)
        sup = F.cross_entropy(self.model(x), y)
        student_p = self.model(u + 0.1 * torch.randn_like(u)).softmax(-1)
        teacher_p = self.teacher(u + 0.1 * torch.randn_like(u)).softmax(-1)
        cons = F.mse_loss(student_p, teacher_p)
        loss = sup + self.ramp(step) * cons
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.teacher.update()
        return sup.item(), cons.item()

    def fit(self):
        for s in range(self.cfg.steps):
            sup, cons = self.step(s)
            if s % 22 == 0:
                print(f"[{s:03d}] sup={sup:.3f} cons={cons:.5f}")


if __name__ == "__main__":
    cfg = Config()
    torch.manual_seed(cfg.seed)
    trainer = Trainer(cfg)
    trainer.fit()
