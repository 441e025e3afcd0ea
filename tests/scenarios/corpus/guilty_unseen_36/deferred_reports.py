# gradwatch-corpus: kind=graph-held
# holder: pending | self.pending | cb.pending | callbacks[0].pending
# first-bad: 1
# Distils a wide teacher into a narrow student; printing is put off till the end of an epoch.
import functools
import sys

import torch
import torch.nn.functional as F
from torch import nn

torch.set_num_threads(1)

CALLBACKS = {}


def callback(name):
    def deco(cls):
        CALLBACKS[name] = cls
        return cls
    return deco


@callback("reporter")
class Reporter:
    def __init__(self, every=10, out=sys.stdout):
        self.every, self.out, self.pending = every, out, []

    def _line(self, step, parts):
        text = " ".join(f"{k}={float(v):.4f}" for k, v in parts.items())
        self.out.write(f"  [{step}] {text}\n")

    def on_step(self, step, **parts):
        self.pending.append(functools.partial(self._line, step, parts))  # <- culprit

    def on_epoch(self, epoch):
        print("epoch", epoch)
        for job in self.pending[::self.every]:
            job()
        self.pending.clear()


@callback("lr")
class Cooler:
    def __init__(self, opt, factor=0.7):
        self.opt, self.factor = opt, factor

    def on_step(self, step, **_):
        pass

    def on_epoch(self, epoch):
        for g in self.opt.param_groups:
            g["lr"] *= self.factor


def mlp(*sizes):
    mods = []
    for a, b in zip(sizes, sizes[1:]):
        mods += [nn.Linear(a, b), nn.GELU()]
    return nn.Sequential(*mods[:-1])


def distil(student, teacher, opt, callbacks, epochs=2, steps=50, temp=2.0):
    for epoch in range(epochs):
        for step in range(steps):
            x = torch.randn(48, 12)
            with torch.no_grad():
                goal = teacher(x) / temp
            out = student(x)
            kl = F.kl_div(F.log_softmax(out / temp, 1), F.softmax(goal, 1), reduction="batchmean") * temp ** 2
            hard = F.cross_entropy(out, goal.argmax(1))
            total = 0.7 * kl + 0.3 * hard
            opt.zero_grad()
            total.backward()
            opt.step()
            for cb in callbacks:
                cb.on_step(step, kl=kl, hard=hard)  # <- culprit
        for cb in callbacks:
            cb.on_epoch(epoch)


if __name__ == "__main__":
    torch.manual_seed(3)
    teacher, student = mlp(12, 64, 5), mlp(12, 8, 5)
    opt = torch.optim.RMSprop(student.parameters(), lr=3e-3)
    distil(student, teacher, opt, [CALLBACKS["reporter"](), CALLBACKS["lr"](opt)])
