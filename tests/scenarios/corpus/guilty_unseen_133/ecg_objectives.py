# gradwatch-corpus: kind=crashed
# first-bad: 140
# notice: 0
from typing import Callable, Dict, NamedTuple, Tuple

import numpy as np
import torch
import torch.nn as nn

torch.set_num_threads(1)

TERMS: Dict[str, Callable] = {}


def term(fn):
    TERMS[fn.__name__] = fn
    return fn


@term
def pointwise(pred, ref):
    return (pred - ref).square().mean()


@term
def slope(pred, ref):
    return (pred.diff(dim=-1) - ref.diff(dim=-1)).abs().mean()


@term
def area(pred, ref):
    a, b = (np.trapezoid(v.detach().numpy(), axis=-1) for v in (pred, ref))  # <- culprit
    return torch.from_numpy(np.abs(a - b)).mean() / pred.shape[-1]  # <- culprit


class Stage(NamedTuple):
    until: int
    mix: Tuple[Tuple[str, float], ...]


CURRICULUM = (
    Stage(60, (("pointwise", 1.0),)),
    Stage(140, (("pointwise", 0.7), ("slope", 0.2), ("area", 0.1))),
    Stage(400, (("pointwise", 0.0), ("area", 1.0))),
)


def blend(step, pred, ref):
    stage = next(s for s in CURRICULUM if step < s.until)
    parts = [w * TERMS[name](pred, ref) for name, w in stage.mix if w > 0]
    return torch.stack(parts).sum()


class Denoiser(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.Conv1d(1, 6, 5, padding=2)
        self.mid = nn.Conv1d(6, 6, 5, padding=4, dilation=2)
        self.up = nn.Conv1d(6, 1, 5, padding=2)

    def forward(self, sig):
        h = torch.relu(self.down(sig[:, None]))
        h = h + torch.relu(self.mid(h))
        return sig + self.up(h)[:, 0]


def beats(batch, length, rng):
    t = np.linspace(0, 1, length, dtype=np.float32)
    centre = rng.uniform(0.3, 0.7, (batch, 1)).astype(np.float32)
    clean = np.exp(-((t - centre) ** 2) / 0.002) - 0.2 * np.exp(-((t - centre - 0.1) ** 2) / 0.004)
    noisy = clean + rng.normal(0, 0.1, clean.shape)
    return torch.from_numpy(noisy.astype(np.float32)), torch.from_numpy(clean.astype(np.float32))


def train():
    torch.manual_seed(5)
    rng = np.random.default_rng(5)
    net = Denoiser()
    opt = torch.optim.RMSprop(net.parameters(), lr=2e-3)
    for step in range(CURRICULUM[-1].until):
        noisy, clean = beats(8, 48, rng)
        objective = blend(step, net(noisy), clean)
        opt.zero_grad()
        objective.backward()
        opt.step()
        if step % 40 == 0:
            print(step, round(objective.item(), 5))


train()
