# gradwatch-corpus: kind=graph-held
# holder: state.trace
# first-bad: 1
# notice: 8
import math
from typing import NamedTuple, Tuple

import torch
from torch import Tensor

torch.set_num_threads(1)
torch.manual_seed(9)

CONSTITUENTS = torch.tensor([2 * math.pi / p for p in (12.42, 12.0, 25.82, 23.93)])


class HarmonicState(NamedTuple):
    amp: Tensor
    phase: Tensor
    msl: Tensor
    trace: Tuple[Tensor, ...] = ()

    @property
    def trainable(self):
        return self.amp, self.phase, self.msl


def predict(s: HarmonicState, t: Tensor) -> Tensor:
    return s.msl + (s.amp * torch.cos(t[:, None] * CONSTITUENTS + s.phase)).sum(-1)


def objective(s, t, gauge):
    return torch.log1p((predict(s, t) - gauge).square()).mean()


def leaf(x):
    return x.detach().requires_grad_()


def update(s: HarmonicState, t, gauge, lr) -> HarmonicState:
    val = objective(s, t, gauge)
    val.backward()
    amp, phase, msl = (leaf(p - lr * p.grad) for p in s.trainable)
    return s._replace(amp=amp, phase=phase, msl=msl, trace=s.trace + (val,))  # <- culprit


def gauge_record():
    true_amp = torch.tensor([1.2, 0.5, 0.3, 0.2])
    true_phase = torch.tensor([0.4, 2.0, -1.0, 0.8])
    while True:
        t = torch.rand(24) * 700
        h = (true_amp * torch.cos(t[:, None] * CONSTITUENTS + true_phase)).sum(-1) + 0.1
        yield t, h + 0.05 * torch.randn(24)


def plateaued(s, window=60, tol=1e-5):
    if len(s.trace) < 2 * window:
        return False
    new = torch.stack(s.trace[-window:]).mean().item()
    old = torch.stack(s.trace[-2 * window:-window]).mean().item()
    return abs(old - new) < tol


state = HarmonicState(leaf(torch.full((4,), 0.5)), leaf(torch.zeros(4)), leaf(torch.zeros(())))
for k, (t, h) in zip(range(500), gauge_record()):
    state = update(state, t, h, lr=0.05)
    if k % 100 == 99:
        print(k + 1, state.trace[-1].item(), "flat" if plateaued(state) else "")
print([round(a, 2) for a in state.amp.tolist()])
