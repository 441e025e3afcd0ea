# gradwatch-corpus: kind=graph-chain
# holder: self.weights | teacher.weights | trainer.teacher.weights | cb.teacher.weights | self.teacher.weights | self.weights[name] | teacher.weights[name]
# first-bad: 1
# notice: 5
"""Self-distillation of a small tabular classifier with a slowly moving teacher."""
import argparse
import math
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)


@dataclass
class KDConfig:
    features: int = 24
    classes: int = 6
    hidden: int = 96
    batch: int = 256
    steps: int = 140
    lr: float = 3e-3
    temperature: float = 2.0
    kd_weight: float = 0.7
    decay: float = 0.98
    warmup: int = 10


class ResidualMLP(nn.Module):
    def __init__(self, cfg: KDConfig):
        super().__init__()
        self.stem = nn.Linear(cfg.features, cfg.hidden)
        self.block1 = nn.Sequential(nn.LayerNorm(cfg.hidden), nn.Linear(cfg.hidden, cfg.hidden), nn.GELU())
        self.block2 = nn.Sequential(nn.LayerNorm(cfg.hidden), nn.Linear(cfg.hidden, cfg.hidden), nn.GELU())
        self.head = nn.Linear(cfg.hidden, cfg.classes)

    def forward(self, x):
        h = self.stem(x)
        h = h + self.block1(h)
        h = h + self.block2(h)
        return self.head(h)


class MovingTeacher:
    """A second set of weights for the student's architecture, run through functional_call."""

    def __init__(self, module: nn.Module, decay: float):
        self.module = module
        self.decay = decay
        self.updates = 0
        self.weights = {n: p.detach().clone() for n, p in module.named_parameters()}

    def current_decay(self):
        # faster at first, as in the mean-teacher paper
        return min(self.decay, (1 + self.updates) / (10 + self.updates))

    def __call__(self, x):
        return functional_call(self.module, self.weights, (x,))

    def follow(self, student: nn.Module):
        alpha = 1.0 - self.current_decay()
        for name, p in student.named_parameters():
            self.weights[name] = torch.lerp(self.weights[name], p, alpha)  # <- culprit
        self.updates += 1


class Callback:
    def on_step_end(self, trainer, step, logs):
        pass


class TeacherUpdate(Callback):
    def __init__(self, teacher):
        self.teacher = teacher

    def on_step_end(self, trainer, step, logs):
        self.teacher.follow(trainer.student)


class Printer(Callback):
    def __init__(self, every):
        self.every = every

    def on_step_end(self, trainer, step, logs):
        if step % self.every == 0:
            print(f"{step:4d}  " + "  ".join(f"{k}={v:.4f}" for k, v in logs.items()))


class DistillTrainer:
    def __init__(self, cfg: KDConfig):
        self.cfg = cfg
        self.student = ResidualMLP(cfg)
        self.teacher = MovingTeacher(self.student, cfg.decay)
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=cfg.lr)
        self.callbacks = [TeacherUpdate(self.teacher), Printer(20)]
        self.centers = torch.randn(cfg.classes, cfg.features)

    def batch(self):
        y = torch.randint(0, self.cfg.classes, (self.cfg.batch,))
        x = self.centers[y] + 1.2 * torch.randn(self.cfg.batch, self.cfg.features)
        return x, y

    def kd_loss(self, logits, targets):
        t = self.cfg.temperature
        return F.kl_div(F.log_softmax(logits / t, -1), F.softmax(targets / t, -1), reduction="batchmean") * t * t

    def fit(self):
        for step in range(self.cfg.steps):
            x, y = self.batch()
            logits = self.student(x)
            ce = F.cross_entropy(logits, y)
            kd = self.kd_loss(logits, self.teacher(x + 0.05 * torch.randn_like(x)))
            ramp = self.cfg.kd_weight * (1 - math.exp(-step / self.cfg.warmup))
            loss = ce + ramp * kd
            self.opt.zero_grad()
            loss.backward()
            self.opt.step()
            logs = {"ce": ce.item(), "kd": kd.item(), "acc": (logits.argmax(-1) == y).float().mean().item()}
            for cb in self.callbacks:
                cb.on_step_end(self, step, logs)


if __name__ == "__main__":
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=KDConfig.steps)
    args = ap.parse_args()
    torch.manual_seed(0)
    DistillTrainer(KDConfig(steps=args.steps)).fit()
