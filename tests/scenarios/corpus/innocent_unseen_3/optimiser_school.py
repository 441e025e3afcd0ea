# gradwatch-corpus: kind=none
# about: learned optimiser unrolled over 12 inner steps with autograd.grad and retain_graph inside; states detached between pieces
"""A recurrent net learns to be an optimiser: unrolled over pieces of 12 inner steps, one outer step per piece."""
import torch
from torch import nn

torch.manual_seed(25)
PIECE, PIECES = 12, 4


class CoordinateLSTM(nn.Module):
    def __init__(self, h=12):
        super().__init__()
        self.h = h
        self.cell, self.out = nn.LSTMCell(2, h), nn.Linear(h, 1)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def blank(self, n):
        return torch.zeros(n, self.h), torch.zeros(n, self.h)

    def forward(self, g, hidden):
        feats = torch.stack([g.sign(), (g.abs() + 1e-6).log() / 7], 1)
        hidden = self.cell(feats, hidden)
        return .05 * (g / (1 + g.abs()) * -1 + self.out(hidden[0]).squeeze(1)), hidden


class Exercise:
    """least squares with a wiggle"""

    def __init__(self, d=16):
        self.A, self.b = torch.randn(20, d) / d ** .5, torch.randn(20)
        self.amp = 2 * torch.rand(())

    def __call__(self, w):
        return (self.A @ w - self.b).square().mean() + self.amp * .1 * (1 - torch.cos(3 * w)).mean()


def lesson(student, outer):
    task = Exercise()
    w = torch.randn(16)
    hidden = student.blank(16)
    marks = []
    for piece in range(PIECES):
        w = w.detach().requires_grad_()
        hidden = tuple(s.detach() for s in hidden)
        total = 0.
        for _ in range(PIECE):
            f = task(w)
            slope, = torch.autograd.grad(f, w, retain_graph=True)
            move, hidden = student(slope.detach(), hidden)
            w = w + move
            total = total + f
        total = total + task(w)
        outer.zero_grad()
        total.backward()
        nn.utils.clip_grad_value_(student.parameters(), 1.)
        outer.step()
        marks.append(total.item() / (PIECE + 1))
    return marks


student = CoordinateLSTM()
outer = torch.optim.Adam(student.parameters(), lr=2e-3)
report = []
for n in range(60):
    report.append(lesson(student, outer))
    if n % 10 == 9:
        cols = [sum(c) / 10 for c in zip(*report[-10:])]
        print(f"lesson {n + 1}: by piece", " ".join(f"{c:.3f}" for c in cols))
