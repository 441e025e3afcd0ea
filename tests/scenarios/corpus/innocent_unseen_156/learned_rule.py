# gradwatch-corpus: kind=none
# Learn an update rule (coordinatewise LSTM) on random least-squares problems, unrolled in short stretches;
# curvature of the last problem by Hutchinson at the end of every stretch.
import itertools

import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(36)

STRETCH = 6
STRETCHES = 4
PROBLEMS = 20


class Rule(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.cell = nn.LSTMCell(2, hidden)
        self.out = nn.Linear(hidden, 1)
        self.hidden = hidden

    def init(self, n):
        return torch.zeros(n, self.hidden), torch.zeros(n, self.hidden)

    def forward(self, grad, state):
        size = grad.abs().clamp_min(1e-6).log() / 6
        h, c = self.cell(torch.stack([size, grad.sign()], dim=1), state)
        return 0.1 * self.out(h).squeeze(1), (h, c)


class LeastSquares:
    def __init__(self, dim=8):
        self.A = torch.randn(12, dim) / dim ** 0.5
        self.b = self.A @ torch.randn(dim)

    def __call__(self, theta):
        return (self.A @ theta - self.b).pow(2).mean()


def hutchinson(f, theta, probes=3):
    theta = theta.detach().requires_grad_()
    (g,) = torch.autograd.grad(f(theta), theta, create_graph=True)
    total = 0.0
    for k in range(probes):
        v = torch.randint(0, 2, theta.shape).float() * 2 - 1
        (hv,) = torch.autograd.grad(g, theta, v, retain_graph=k < probes - 1)
        total += (hv * v).sum().item()
    return total / probes


def unroll(f, rule, theta, state, steps):
    total = torch.zeros(())
    for _ in range(steps):
        value = f(theta)
        (g,) = torch.autograd.grad(value, theta, retain_graph=True)
        delta, state = rule(g.detach(), state)
        theta = theta + delta
        total = total + f(theta)
    return total / steps, theta, state


rule = Rule()
opt = torch.optim.Adam(rule.parameters(), lr=5e-3)
finals, curvature = [], []
for p in range(PROBLEMS):
    f = LeastSquares()
    theta = torch.zeros(8, requires_grad=True)
    state = rule.init(8)
    for _ in range(STRETCHES):
        total, theta, state = unroll(f, rule, theta, state, STRETCH)
        opt.zero_grad()
        total.backward()
        opt.step()
        theta = theta.detach().requires_grad_()
        state = tuple(s.detach() for s in state)
        curvature.append(hutchinson(f, theta))
    finals.append(f(theta).detach())
    if p % 5 == 4:
        recent = list(itertools.islice(reversed(finals), 5))
        print(f"problem {p + 1}: final {torch.stack(recent).mean():.4f}  trace {curvature[-1]:.3f}")
