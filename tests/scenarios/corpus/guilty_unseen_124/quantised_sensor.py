# gradwatch-corpus: kind=graph-held
# holder: self.entries | Audit.entries | AUDIT.entries | AUDIT
# first-bad: 1
# notice: 8
"""Quantisation-aware regression for a small sensor front end."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(17)


class Audit:
    def __init__(self):
        self.entries = []

    def note(self, where):
        self.entries.append(where)  # <- culprit

    def clipped(self):
        return sum(e.n_clipped for e in self.entries)


AUDIT = Audit()


class SoftRound(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, levels):
        ctx.levels = levels
        ctx.save_for_backward(x)
        ctx.n_clipped = 0
        return torch.round(x.clamp(-1, 1) * levels) / levels

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        inside = (x.abs() <= 1).to(g.dtype)
        ctx.n_clipped = int((1 - inside).sum())
        AUDIT.note(ctx)  # <- culprit
        return g * inside, None


class QuantLinear(nn.Linear):
    def forward(self, x):
        return SoftRound.apply(torch.tanh(super().forward(x)) * 1.05, 7)


class FrontEnd(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(QuantLinear(6, 16), QuantLinear(16, 16), nn.Linear(16, 1))

    def forward(self, x):
        return self.layers(x).squeeze(-1)


def readings(n=40):
    v = torch.randn(n, 6)
    return v, torch.sin(v[:, 0]) + 0.5 * v[:, 1] * v[:, 2]


fe = FrontEnd()
opt = torch.optim.NAdam(fe.parameters(), lr=3e-3)
for k in range(1, 281):
    v, target = readings()
    opt.zero_grad()
    err = nn.functional.smooth_l1_loss(fe(v), target)
    err.backward()
    opt.step()
    if not k % 70:
        print(f"{k:4d} err={err.item():.4f} clipped={AUDIT.clipped()}")
