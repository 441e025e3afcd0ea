# gradwatch-corpus: kind=none
"""Distils the big phone classifier into the on-device one. Both see the clean and the noisy version of each clip,
and features of two layers are matched by hooks."""
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import torch
import torch.nn.functional as F
from torch import nn

from taps import FeatureTap, GradientMeter

PHONES, MELS = 12, 20


def acoustic(width):
    return nn.Sequential(
        nn.Conv1d(MELS, width, 3, padding=1), nn.ReLU(),
        nn.Conv1d(width, width, 3, padding=1), nn.ReLU(),
        nn.Conv1d(width, PHONES, 1),
    )


class Clips:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.proto = torch.randn(PHONES, MELS, generator=self.g)

    def batch(self, n=8, frames=24):
        y = torch.randint(0, PHONES, (n, frames // 4), generator=self.g).repeat_interleave(4, dim=1)
        clean = self.proto[y].transpose(1, 2) + 0.3 * torch.randn(n, MELS, frames, generator=self.g)
        noisy = clean + 0.8 * torch.randn(clean.shape, generator=self.g)
        return clean, noisy, y


def pretrain(teacher, clips, steps):
    opt = torch.optim.Adam(teacher.parameters(), lr=3e-3)
    for _ in range(steps):
        clean, _, y = clips.batch()
        loss = F.cross_entropy(teacher(clean), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return teacher.eval().requires_grad_(False)


class Distiller:
    def __init__(self, teacher, student, temperature=2.0):
        self.teacher, self.student, self.t = teacher, student, temperature
        self.adapters = nn.ModuleList([nn.Conv1d(10, 32, 1), nn.Conv1d(10, 32, 1)])
        self.taps = {"t": FeatureTap(teacher, ["1", "3"]), "s": FeatureTap(student, ["1", "3"])}
        self.meter = GradientMeter()
        self.opt = torch.optim.Adam([*student.parameters(), *self.adapters.parameters()], lr=3e-3)
        self.last = None

    def feature_loss(self):
        loss = 0.0
        for adapter, ts, ss in zip(self.adapters, self.taps["t"].take(), self.taps["s"].take()):
            for t, s in zip(ts, ss):
                loss = loss + F.mse_loss(adapter(s), t)
        return loss

    def step(self, clean, noisy, y):
        with self.taps["t"].open(), self.taps["s"].open():
            soft = [self.teacher(v).div(self.t).softmax(1) for v in (clean, noisy)]
            logits = [self.student(v) for v in (clean, noisy)]
        self.meter.watch("noisy", logits[1])
        kd = sum(F.kl_div((l / self.t).log_softmax(1), s, reduction="batchmean") for l, s in zip(logits, soft))
        ce = F.cross_entropy(logits[1], y)
        loss = ce + 0.05 * kd + 0.1 * self.feature_loss()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.last = loss
        return (logits[1].argmax(1) == y).float().mean().item()


def main(steps=240):
    torch.manual_seed(140)
    clips = Clips(seed=141)
    teacher = pretrain(acoustic(32), clips, steps=80)
    distiller = Distiller(teacher, acoustic(10))
    for step in range(steps):
        acc = distiller.step(*clips.batch())
        if step % 60 == 59:
            print(f"{step + 1}: loss {distiller.last.item():.3f} frame acc {acc:.2f} grad {distiller.meter.norms['noisy']:.4f}")


if __name__ == "__main__":
    main()
