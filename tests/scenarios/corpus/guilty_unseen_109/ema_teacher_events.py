# gradwatch-corpus: kind=inplace-modified
# holder: t | t.weight | p_t | teacher.predictor | self.teacher.predictor.weight | engine.teacher.predictor.weight | slow
# first-bad: 45
# notice: 0
"""Self-distillation on tabular rows: the student's representation must stay readable by the
slow copy of the predictor.  A little event system runs the schedule."""
import copy
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Handler = namedtuple("Handler", "event when fn")


class SlowFast(nn.Module):
    def __init__(self, d, h, k):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(d, h), nn.LayerNorm(h), nn.SiLU())
        self.predictor = nn.Linear(h, k)

    def forward(self, x):
        z = self.encoder(x)
        return z, self.predictor(z)


class Engine:
    EVENTS = ("begin_batch", "after_forward", "after_step")

    def __init__(self, student, lr):
        self.student = student
        self.teacher = copy.deepcopy(student).requires_grad_(False)
        self.opt = torch.optim.Adam(student.parameters(), lr=lr)
        self.handlers, self.it, self.loss = [], 0, None

    def on(self, event, when=lambda it: True):
        assert event in self.EVENTS

        def deco(fn):
            self.handlers.append(Handler(event, when, fn))
            return fn
        return deco

    def emit(self, event):
        for h in self.handlers:
            if h.event == event and h.when(self.it):
                h.fn(self)

    def run(self, batches):
        for self.it, (x, y) in enumerate(batches):
            self.emit("begin_batch")
            z, logits = self.student(x)
            with torch.no_grad():
                _, soft = self.teacher(x + 0.05 * torch.randn_like(x))
            read_back = self.teacher.predictor(z)
            self.loss = (F.cross_entropy(logits, y)
                         + 0.3 * F.cross_entropy(read_back, y)
                         + 0.3 * F.mse_loss(logits, soft))
            self.emit("after_forward")
            self.opt.zero_grad()
            self.loss.backward()
            self.opt.step()
            self.emit("after_step")


def every(n, start=0, stop=10 ** 9):
    return lambda it: start <= it < stop and it % n == 0


def blend(slow, fast, m):
    with torch.no_grad():
        for p_t, p_s in zip(slow.parameters(), fast.parameters()):
            p_t.mul_(m).add_(p_s, alpha=1 - m)  # <- culprit


def attach_schedule(engine):
    @engine.on("after_step", every(1, stop=45))
    def follow_closely(e):
        blend(e.teacher, e.student, 0.8)

    @engine.on("after_forward", every(5, start=45))  # <- culprit
    def follow_slowly(e):
        blend(e.teacher, e.student, 0.98)  # <- culprit

    @engine.on("after_step", every(20))
    def say(e):
        print(f"it {e.it:3d} loss {e.loss.item():.4f}")


def rows(n, d, k, batch):
    w = torch.randn(d, k)
    for _ in range(n):
        x = torch.randn(batch, d)
        yield x, (x @ w + 0.2 * torch.randn(batch, k)).argmax(1)


if __name__ == "__main__":
    torch.set_num_threads(1)
    torch.manual_seed(8)
    eng = Engine(SlowFast(14, 32, 5), lr=2e-3)
    attach_schedule(eng)
    eng.run(rows(200, 14, 5, 48))
