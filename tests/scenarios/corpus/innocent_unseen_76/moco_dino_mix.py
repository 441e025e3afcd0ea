# gradwatch-corpus: kind=none
"""Self-distillation with a centre plus a contrastive queue, on toy clusters."""
import copy
import math

import torch
from torch import nn
from torch.nn import functional as F

torch.set_num_threads(1)


def mlp(*dims):
    mods = []
    for a, b in zip(dims[:-2], dims[1:-1]):
        mods += [nn.Linear(a, b), nn.GELU()]
    return nn.Sequential(*mods, nn.Linear(dims[-2], dims[-1]))


class Branch(nn.Module):
    def __init__(self, d=18, h=40, z=12, protos=20):
        super().__init__()
        self.body = mlp(d, h, h)
        self.key = mlp(h, h, z)
        self.proto = mlp(h, h, protos)

    def forward(self, x):
        h = F.gelu(self.body(x))
        return F.normalize(self.key(h), dim=1), self.proto(h)


class CentredDistillation(nn.Module):
    def __init__(self, protos=20, t_s=0.2, t_t=0.1, m=0.9):
        super().__init__()
        self.t_s, self.t_t, self.m = t_s, t_t, m
        self.centre = torch.zeros(1, protos)

    def forward(self, student, teacher):
        target = ((teacher - self.centre) / self.t_t).softmax(-1)
        loss = -(target * (student / self.t_s).log_softmax(-1)).sum(-1).mean()
        self.centre = self.m * self.centre + (1 - self.m) * teacher.mean(0, keepdim=True)
        return loss


class KeyQueue:
    def __init__(self, size, dim):
        self.keys = F.normalize(torch.randn(size, dim), dim=1)
        self.size = size

    def __call__(self, q, k, tau=0.2):
        pos = (q * k).sum(1, keepdim=True)
        neg = q @ self.keys.t()
        loss = F.cross_entropy(torch.cat([pos, neg], 1) / tau, torch.zeros(len(q), dtype=torch.long))
        self.keys = torch.cat([k, self.keys])[:self.size]
        return loss


class Pretrainer:
    def __init__(self, total):
        self.student = Branch()
        self.teacher = copy.deepcopy(self.student).requires_grad_(False)
        self.distil = CentredDistillation()
        self.queue = KeyQueue(128, 12)
        self.opt = torch.optim.AdamW(self.student.parameters(), lr=2e-3)
        self.total = total
        self.history = {"distil": [], "queue": []}

    def momentum(self, step):
        return 1 - 0.04 * (math.cos(math.pi * step / self.total) + 1) / 2

    def step(self, it, a, b):
        k, t_out = self.teacher(b)
        q, s_out = self.student(a)
        parts = {"distil": self.distil(s_out, t_out), "queue": self.queue(q, k)}
        loss = sum(parts.values())
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        m = self.momentum(it)
        with torch.no_grad():
            for ps, pt in zip(self.student.parameters(), self.teacher.parameters()):
                pt.mul_(m).add_(ps, alpha=1 - m)
        for name, v in parts.items():
            self.history[name].append(v.data)


def main(steps=240):
    torch.manual_seed(13)
    mu = torch.randn(6, 18) * 2
    trainer = Pretrainer(steps)
    for it in range(steps):
        base = mu[torch.randint(0, 6, (32,))]
        trainer.step(it, base + 0.5 * torch.randn(32, 18), base + 0.5 * torch.randn(32, 18))
        if (it + 1) % 60 == 0:
            print(it + 1, {k: round(torch.stack(v[-60:]).mean().item(), 3) for k, v in trainer.history.items()},
                  "centre norm %.3f" % trainer.distil.centre.norm())


if __name__ == "__main__":
    main()
