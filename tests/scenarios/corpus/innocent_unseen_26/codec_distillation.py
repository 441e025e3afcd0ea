# gradwatch-corpus: kind=none
"""Distil an audio codec: forward hooks take the activations of teacher and student, gradients are accumulated
over four micro-batches, evaluation from time to time, broken clips are noted as text and skipped."""
from collections import defaultdict
from contextlib import ExitStack
from functools import partial

import torch
import torch.nn.functional as F
from torch import nn


def codec(width):
    return nn.Sequential(nn.Conv1d(1, width, 9, 2, 4), nn.ELU(), nn.Conv1d(width, width, 9, 2, 4), nn.ELU(),
                         nn.ConvTranspose1d(width, width, 4, 2, 1), nn.ELU(), nn.ConvTranspose1d(width, 1, 4, 2, 1))


class Taps:
    """Outputs of some modules, filled by hooks; `drain` hands them over and forgets them."""

    def __init__(self, net, where):
        self.store = defaultdict(list)
        self.handles = [net[i].register_forward_hook(partial(self._take, f"l{i}")) for i in where]

    def _take(self, name, module, args, out):
        self.store[name].append(out)

    def drain(self):
        got = {k: torch.stack(v).mean(0) for k, v in self.store.items()}
        self.store.clear()
        return got

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        for h in self.handles:
            h.remove()


class Callback:
    def on_step(self, run):
        pass


class Evaluate(Callback):
    def __init__(self, every):
        self.every, self.scores = every, []

    @torch.no_grad()
    def on_step(self, run):
        if run.updates % self.every:
            return
        run.student.eval()
        x = run.clips(16)
        self.scores.append(F.l1_loss(run.student(x), run.teacher(x)).item())
        run.taps_s.drain(), run.taps_t.drain()
        run.student.train()


class Averager(Callback):
    def __init__(self, decay=0.98):
        self.decay, self.weights = decay, None

    @torch.no_grad()
    def on_step(self, run):
        state = run.student.state_dict()
        if self.weights is None:
            self.weights = {k: v.clone() for k, v in state.items()}
        for k, v in state.items():
            self.weights[k].lerp_(v, 1 - self.decay)


class Run:
    def __init__(self, taps_t, taps_s, teacher, student, callbacks, accumulate=4):
        self.taps_t, self.taps_s, self.teacher, self.student = taps_t, taps_s, teacher, student
        self.callbacks, self.accumulate = callbacks, accumulate
        self.project = nn.Conv1d(8, 16, 1)
        self.opt = torch.optim.Adam([*student.parameters(), *self.project.parameters()], lr=3e-3)
        self.updates, self.failures, self.losses = 0, [], []

    def clips(self, n, length=128):
        t = torch.linspace(0, 1, length)
        f = 4 + 30 * torch.rand(n, 1, 1)
        x = torch.sin(6.28 * f * t)
        if torch.rand(()) < 0.1:
            x[0, 0, 0] = float("nan")
        return torch.nan_to_num(x) if n == 16 else x

    def loss(self, x):
        if torch.isnan(x).any():
            raise ValueError("clip has NaN")
        with torch.no_grad():
            target = self.teacher(x)
        out = self.student(x)
        t, s = self.taps_t.drain(), self.taps_s.drain()
        match = sum(F.mse_loss(self.project(s[k]), t[k]) for k in s)
        return F.l1_loss(out, target) + 0.5 * match

    def update(self):
        got = 0
        while got < self.accumulate:
            try:
                loss = self.loss(self.clips(8)) / self.accumulate
            except ValueError as e:
                self.failures.append(repr(e))
                continue
            loss.backward()
            self.losses.append(loss.item())
            got += 1
        self.opt.step()
        self.opt.zero_grad(set_to_none=True)
        self.updates += 1
        for c in self.callbacks:
            c.on_step(self)


def main(updates=80):
    torch.manual_seed(4)
    teacher, student = codec(16).eval().requires_grad_(False), codec(8)
    evaluate = Evaluate(every=20)
    with ExitStack() as stack:
        taps = [stack.enter_context(Taps(net, (1, 3))) for net in (teacher, student)]
        run = Run(*taps, teacher, student, [Averager(), evaluate])
        for _ in range(updates):
            run.update()
    print(evaluate.scores, len(run.failures), "skipped")


if __name__ == "__main__":
    main()
