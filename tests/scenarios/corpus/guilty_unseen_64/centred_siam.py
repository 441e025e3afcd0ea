# gradwatch-corpus: kind=second-backward
# holder: self.center | criterion.center
# first-bad: 1
# notice: 0
"""SimSiam-like pretraining on synthetic signals, with centred targets (as in DINO) against collapse."""
import argparse
import copy
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F

AUGMENTATIONS = {}


def augmentation(name):
    def wrap(fn):
        AUGMENTATIONS[name] = fn
        return fn
    return wrap


@augmentation("jitter")
def jitter(x, g):
    return x + 0.1 * torch.randn(x.shape, generator=g)


@augmentation("scale")
def scale(x, g):
    return x * (1 + 0.2 * torch.randn(x.shape[0], 1, generator=g))


@augmentation("mask")
def mask(x, g):
    return x * (torch.rand(x.shape, generator=g) > 0.2).float()


@dataclass
class Config:
    dim: int = 32
    hidden: int = 48
    proj: int = 16
    batch: int = 32
    steps: int = 100
    lr: float = 1e-3
    ema: float = 0.99


class Encoder(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(cfg.dim, cfg.hidden), nn.GELU(),
                                  nn.Linear(cfg.hidden, cfg.hidden), nn.GELU())
        self.head = nn.Linear(cfg.hidden, cfg.proj)

    def forward(self, x):
        return self.head(self.body(x))


class CentredCrossEntropy(nn.Module):
    """Cross entropy between sharpened, centred targets and the student's two views."""

    def __init__(self, dim, t_teacher=0.07, t_student=0.1, momentum=0.9):
        super().__init__()
        self.t_teacher, self.t_student, self.momentum = t_teacher, t_student, momentum
        self.center = torch.zeros(1, dim)

    def forward(self, s1, s2, t1, t2):
        loss = 0.5 * (self._pair(s1, t2) + self._pair(s2, t1))
        spread = torch.cat([s1, s2]).std(0).mean()
        self.update_center(torch.cat([s1, s2, t1, t2]))
        return loss - 0.05 * spread

    def _pair(self, s, t):
        target = F.softmax((t - self.center) / self.t_teacher, dim=-1)
        logp = F.log_softmax((s - self.center) / self.t_student, dim=-1)
        return -(target * logp).sum(-1).mean()

    def update_center(self, out):
        """Moving average over everything the two networks put out."""
        batch_center = out.mean(0, keepdim=True)
        self.center = self.center * self.momentum + batch_center * (1 - self.momentum)  # <- culprit


@torch.no_grad()
def follow(teacher, student, m):
    for pt, ps in zip(teacher.parameters(), student.parameters()):
        pt.mul_(m).add_(ps, alpha=1 - m)


def batches(cfg, g):
    basis = torch.randn(5, cfg.dim, generator=g)
    for _ in range(cfg.steps):
        cls = torch.randint(0, 5, (cfg.batch,), generator=g)
        yield basis[cls] + 0.3 * torch.randn(cfg.batch, cfg.dim, generator=g)


def two_views(x, g, names):
    views = []
    for _ in range(2):
        v = x
        for n in names:
            v = AUGMENTATIONS[n](v, g)
        views.append(v)
    return views


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--steps", type=int, default=100)
    ap.add_argument("--augs", nargs="+", default=["jitter", "scale", "mask"])
    args = ap.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(3)
    g = torch.Generator().manual_seed(3)
    cfg = Config(steps=args.steps)
    student = Encoder(cfg)
    teacher = copy.deepcopy(student).requires_grad_(False)
    criterion = CentredCrossEntropy(cfg.proj)
    opt = torch.optim.AdamW(student.parameters(), lr=cfg.lr)
    for step, x in enumerate(batches(cfg, g)):
        v1, v2 = two_views(x, g, args.augs)
        with torch.no_grad():
            t1, t2 = teacher(v1), teacher(v2)
        loss = criterion(student(v1), student(v2), t1, t2)
        opt.zero_grad(set_to_none=True)
        loss.backward()
        opt.step()
        follow(teacher, student, cfg.ema)
        if step % 20 == 0:
            print(f"step {step:4d} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
