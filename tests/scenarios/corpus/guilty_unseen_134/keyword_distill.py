# gradwatch-corpus: kind=crashed
# first-bad: 36
# notice: 0
"""Distil a wide keyword-spotting conv net into a narrow depthwise one."""
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.set_num_threads(1)


@dataclass
class DistillConfig:
    seed: int = 17
    classes: int = 5
    mels: int = 12
    frames: int = 20
    temperature: float = 3.0
    alpha: float = 0.7
    epochs: int = 30
    batch: int = 20
    validate_every: int = 2


def conv_stack(inp, width, groups=1):
    return nn.Sequential(
        nn.Conv1d(inp, width, 3, padding=1), nn.BatchNorm1d(width), nn.ReLU(),
        nn.Conv1d(width, width, 3, padding=1, groups=groups), nn.ReLU(),
    )


class Spotter(nn.Module):
    def __init__(self, cfg, width, depthwise=False):
        super().__init__()
        self.body = conv_stack(cfg.mels, width, width if depthwise else 1)
        self.out = nn.Linear(width, cfg.classes)

    def forward(self, x):
        return self.out(self.body(x).mean(-1))


def make_clips(cfg, n, gen):
    y = torch.randint(0, cfg.classes, (n,), generator=gen)
    x = torch.randn(n, cfg.mels, cfg.frames, generator=gen)
    x[torch.arange(n), y] += 0.8
    return x, y


class Distiller:
    def __init__(self, cfg):
        self.cfg = cfg
        g = torch.Generator().manual_seed(cfg.seed)
        self.train_set = make_clips(cfg, 360, g)
        self.val_set = make_clips(cfg, 80, g)
        self.teacher = Spotter(cfg, 32)
        self.student = Spotter(cfg, 8, depthwise=True)
        self.opt = torch.optim.SGD(self.student.parameters(), lr=0.05, momentum=0.9)
        self.best_acc = 0.0

    def kd_loss(self, x, y):
        T = self.cfg.temperature
        with torch.no_grad():
            soft = F.softmax(self.teacher(x) / T, -1)
        logits = self.student(x)
        kd = F.kl_div(F.log_softmax(logits / T, -1), soft, reduction="batchmean") * T * T
        return self.cfg.alpha * kd + (1 - self.cfg.alpha) * F.cross_entropy(logits, y)

    def validate(self):
        self.student.eval()
        torch.set_grad_enabled(False)  # <- culprit
        x, y = self.val_set
        acc = (self.student(x).argmax(-1) == y).float().mean().item()
        if acc > self.best_acc:
            self.best_acc = acc
            self.student.train()
            return True  # <- culprit
        torch.set_grad_enabled(True)
        self.student.train()
        return False

    def train_epoch(self):
        x, y = self.train_set
        for idx in torch.randperm(len(x)).split(self.cfg.batch):
            loss = self.kd_loss(x[idx], y[idx])
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()

    def fit(self):
        for epoch in range(1, self.cfg.epochs + 1):
            self.train_epoch()
            if epoch % self.cfg.validate_every == 0:
                improved = self.validate()
                print(epoch, improved, self.best_acc)


if __name__ == "__main__":
    conf = DistillConfig()
    torch.manual_seed(conf.seed)
    Distiller(conf).fit()
