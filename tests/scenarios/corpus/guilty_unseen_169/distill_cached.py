# gradwatch-corpus: kind=second-backward
# holder: self.cache | self.bank.cache | trainer.bank.cache
# first-bad: 60
# notice: 0
from dataclasses import dataclass

import torch
from torch import nn
import torch.nn.functional as F

torch.set_num_threads(1)
torch.manual_seed(41)


@dataclass
class DistillConfig:
    epochs: int = 6
    batch: int = 40
    hint_from_epoch: int = 2
    temperature: float = 3.0
    hint_weight: float = 0.5


class Teacher(nn.Module):
    def __init__(self, d, k):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(d, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU())
        self.top = nn.Linear(64, k)

    def forward(self, x):
        h = self.stem(x)
        return h, self.top(h)


class Student(nn.Module):
    def __init__(self, d, k, width=16):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(d, width), nn.ReLU())
        self.top = nn.Linear(width, k)

    def forward(self, x):
        h = self.stem(x)
        return h, self.top(h)


class HintBank:
    """Teacher features, brought to the student's width once per batch key."""

    def __init__(self, teacher, width):
        self.teacher = teacher
        self.project = nn.Linear(64, width)
        self.cache = {}

    def get(self, key, x):
        if key not in self.cache:
            with torch.no_grad():
                feat, logits = self.teacher(x)
            self.cache[key] = (self.project(feat), logits)  # <- culprit
        return self.cache[key]  # <- culprit


class DistillTrainer:
    def __init__(self, cfg, teacher, student):
        self.cfg, self.student = cfg, student
        self.bank = HintBank(teacher, 16)
        params = list(student.parameters()) + list(self.bank.project.parameters())
        self.opt = torch.optim.Adam(params, lr=2e-3)

    def loss(self, key, x, y, epoch):
        feat, logits = self.student(x)
        loss = F.cross_entropy(logits, y)
        if epoch >= self.cfg.hint_from_epoch:
            hint, soft = self.bank.get(key, x)
            t = self.cfg.temperature
            loss = loss + t * t * F.kl_div(F.log_softmax(logits / t, 1), F.softmax(soft / t, 1), reduction="batchmean")
            loss = loss + self.cfg.hint_weight * F.mse_loss(feat, hint)
        return loss

    def fit(self, batches):
        for epoch in range(self.cfg.epochs):
            total = 0.0
            for key, (x, y) in enumerate(batches):
                loss = self.loss(key, x, y, epoch)
                self.opt.zero_grad()
                loss.backward()
                self.opt.step()
                total += loss.item()
            print(f"epoch {epoch}: {total / len(batches):.4f}")


def pretrain(teacher, x, y, steps=0):
    with torch.no_grad():
        feat, _ = teacher(x)
        onehot = F.one_hot(y, 4).float()
        w = torch.linalg.lstsq(torch.cat([feat, torch.ones(len(feat), 1)], 1), onehot).solution
        teacher.top.weight.copy_(6 * w[:-1].T)
        teacher.top.bias.copy_(6 * w[-1])


def main():
    cfg = DistillConfig()
    x = torch.randn(800, 10)
    y = (x[:, 0] > 0).long() * 2 + (x[:, 1] * x[:, 2] > 0).long()
    teacher = Teacher(10, 4)
    pretrain(teacher, x, y)
    trainer = DistillTrainer(cfg, teacher, Student(10, 4))
    trainer.fit(list(zip(x.split(cfg.batch), y.split(cfg.batch))))


if __name__ == "__main__":
    main()
