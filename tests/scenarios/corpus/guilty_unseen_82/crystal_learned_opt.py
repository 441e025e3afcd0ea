# gradwatch-corpus: kind=second-backward
# holder: slot.accum | self.slots[k].accum | opt_state.slots[k].accum | learner.slots[k].accum | accum | self.slots | slot | run.slots['w2'].accum
# first-bad: 41
# notice: 0
"""Meta-training a learned optimizer on tiny crystal-energy regressors.

The learned optimizer sees (gradient, momentum, accumulator) per weight and proposes an update. Inner
weights live through several unrolls ("truncations"); a fresh regressor is drawn when one is retired."""
from __future__ import annotations

from dataclasses import dataclass, field

import torch
import torch.nn as nn

UNROLL, META_STEPS = 5, 200


@dataclass
class Slot:
    mom: torch.Tensor
    accum: torch.Tensor


@dataclass
class InnerRun:
    theta: dict[str, torch.Tensor]
    slots: dict[str, Slot]
    lifetime: int
    age: int = 0
    curve: list[float] = field(default_factory=list)

    @property
    def expired(self):
        return self.age >= self.lifetime


class Crystals:
    """Pair-distance histograms of random binary lattices and a Morse-like energy."""

    def __init__(self, shells=8):
        self.r = torch.linspace(0.8, 3.0, shells)
        depth = 0.5 + torch.rand(3, 1)
        e = torch.exp(-1.5 * (self.r - 1.3))
        self.pair = depth * (e ** 2 - 2 * e)

    def batch(self, n=24):
        h = torch.rand(n, 3, len(self.r)).pow(2)
        energy = (h * self.pair).sum((1, 2)) / 8
        return h.flatten(1), energy


def energy_model(theta, x):
    h = torch.tanh(x @ theta["w1"] + theta["b1"])
    return (h @ theta["w2"]).squeeze(-1)


def new_theta(in_dim=24, width=12):
    return {
        "w1": (torch.randn(in_dim, width) / in_dim ** 0.5).requires_grad_(),
        "b1": torch.zeros(width, requires_grad=True),
        "w2": (torch.randn(width, 1) / width ** 0.5).requires_grad_(),
    }


class LearnedOptimizer(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.rule = nn.Sequential(nn.Linear(3, hidden), nn.ReLU(), nn.Linear(hidden, 2))
        self.beta_logit = nn.Parameter(torch.tensor([2.2, 3.0]))

    def start(self, theta):
        return {k: Slot(torch.zeros_like(v), torch.zeros_like(v)) for k, v in theta.items()}

    def apply(self, theta, slots, grads):
        b1, b2 = torch.sigmoid(self.beta_logit)
        out = {}
        for k, p in theta.items():
            g, s = grads[k].detach(), slots[k]
            s.mom = b1 * s.mom + (1 - b1) * g
            s.accum = b2 * s.accum + (1 - b2) * g * g  # <- culprit
            scaled = s.mom / (s.accum + 1e-6).sqrt()
            feats = torch.stack([g / (g.std(correction=0) + 1e-6), scaled, torch.log1p(s.accum)], -1)
            direction, log_lr = self.rule(feats).unbind(-1)
            out[k] = p - 0.02 * (scaled + direction) * torch.exp(0.1 * log_lr)
        return out


def truncate(run: InnerRun):
    """Cut the run off from the unroll just finished."""
    run.theta = {k: v.detach().requires_grad_() for k, v in run.theta.items()}
    for slot in run.slots.values():  # <- culprit
        slot.mom = slot.mom.detach()  # <- culprit


def unroll(learner, run, task):
    meta = 0.0
    for _ in range(UNROLL):
        x, e = task.batch()
        loss = (energy_model(run.theta, x) - e).pow(2).mean()
        grads = dict(zip(run.theta, torch.autograd.grad(loss, list(run.theta.values()), retain_graph=True)))
        run.theta = learner.apply(run.theta, run.slots, grads)
        meta = meta + (loss + 1e-6).log()
        run.curve.append(loss.item())
    x, e = task.batch()
    return (meta + ((energy_model(run.theta, x) - e).pow(2).mean() + 1e-6).log()) / (UNROLL + 1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(58)
    task, learner = Crystals(), LearnedOptimizer()
    meta_opt = torch.optim.Adam(learner.parameters(), lr=3e-3)
    run = None
    for step in range(META_STEPS):
        if run is None or run.expired:
            theta = new_theta()
            # curriculum: the first regressors live for a single unroll
            run = InnerRun(theta, learner.start(theta), lifetime=1 if step < 40 else 4)
        meta_loss = unroll(learner, run, task)
        meta_opt.zero_grad()
        meta_loss.backward()
        nn.utils.clip_grad_norm_(learner.parameters(), 1.0)
        meta_opt.step()
        run.age += 1
        truncate(run)
        if step % 10 == 0:
            print(f"meta {step:3d} loss {meta_loss.item():.3f} inner {run.curve[0]:.3f}->{run.curve[-1]:.3f}")


if __name__ == "__main__":
    main()
