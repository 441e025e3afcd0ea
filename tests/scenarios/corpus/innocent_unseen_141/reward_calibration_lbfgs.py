# gradwatch-corpus: kind=none
"""Recalibrates reward-model scores per annotator batch with L-BFGS."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(72)


class Calibrator(nn.Module):
    def __init__(self, knots):
        super().__init__()
        self.gain = nn.Parameter(torch.zeros(knots))
        self.shift = nn.Parameter(torch.zeros(()))
        self.register_buffer("centers", torch.linspace(-2, 2, knots))

    def forward(self, score):
        bumps = torch.exp(-(score.unsqueeze(-1) - self.centers) ** 2)
        return score + (bumps * self.gain).sum(-1) + self.shift


def annotators(n):
    for a in range(n):
        bias = 0.6 * torch.randn(())
        s = torch.randn(64)
        yield a, s, (torch.rand(64) < torch.sigmoid(1.5 * torch.tanh(s) + bias)).float()


def refit(cal, score, label):
    solver = torch.optim.LBFGS(cal.parameters(), lr=0.5, max_iter=6, history_size=5, line_search_fn="strong_wolfe")
    seen = []

    def closure():
        solver.zero_grad()
        nll = nn.functional.binary_cross_entropy_with_logits(cal(score), label)
        obj = nll + 0.01 * cal.gain.square().sum()
        obj.backward()
        seen.append(obj)
        return obj

    solver.step(closure)
    return min(o.item() for o in seen), len(seen)


cal = Calibrator(6)
calls = 0
for a, score, label in annotators(420):
    best, used = refit(cal, score, label)
    calls += used
    if a % 70 == 0:
        print(a, f"{best:.4f}", "evaluations", calls)
