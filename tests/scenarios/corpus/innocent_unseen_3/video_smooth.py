# gradwatch-corpus: kind=none
# about: deque of the last three estimates with graphs, really used by the next three losses (retain_graph needed); reach is always three
"""Streaming gaze estimate: a linear read-out over frozen features; consecutive estimates are asked to agree with the three before."""
from collections import deque
from typing import NamedTuple

import torch
import torch.nn.functional as F


class Frame(NamedTuple):
    shot: int
    estimate: torch.Tensor


class Camera:
    """pictures of a wandering blob; every now and then the shot changes"""

    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)
        self.shot, self.pos, self.vel = 0, torch.zeros(16, 2), torch.zeros(16, 2)
        self.lin = torch.linspace(-1.5, 1.5, 14)

    def __call__(self):
        if torch.rand((), generator=self.g) < .03:
            self.shot += 1
            self.pos = torch.rand(16, 2, generator=self.g) * 2 - 1
        self.vel = .9 * self.vel + .05 * torch.randn(16, 2, generator=self.g)
        self.pos = (self.pos + .2 * self.vel).clamp(-1, 1)
        d = (self.lin[None, :, None] - self.pos[:, 0, None, None]) ** 2 + (self.lin[None, None, :] - self.pos[:, 1, None, None]) ** 2
        return self.shot, torch.exp(-6 * d) + .15 * torch.randn(d.shape, generator=self.g), self.pos


torch.manual_seed(90)
eye = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(196, 160), torch.nn.Tanh()).requires_grad_(False)
readout = torch.nn.Linear(160, 2)
opt = torch.optim.Adam(readout.parameters(), lr=3e-3)
recent = deque(maxlen=3)
camera = Camera(1)
meter = dict(fit=0., agree=0.)
for t in range(600):
    shot, pic, pos = camera()
    est = readout(eye(pic))
    fit = F.smooth_l1_loss(est + .1 * torch.randn_like(est), pos)
    agree = est.new_zeros(())
    for age, f in enumerate(reversed(recent), 1):
        if f.shot == shot:
            agree = agree + (est - f.estimate).square().mean() / age
    opt.zero_grad()
    (fit + .2 * agree).backward(retain_graph=True)     # the next three frames come back to this estimate
    opt.step()
    recent.append(Frame(shot, est))
    for k, v in (("fit", fit), ("agree", agree)):
        meter[k] = .98 * meter[k] + .02 * v.item()
    if t % 75 == 74:
        print(f"frame {t + 1} shot {shot} " + " ".join(f"{k} {v:.4f}" for k, v in meter.items()))
