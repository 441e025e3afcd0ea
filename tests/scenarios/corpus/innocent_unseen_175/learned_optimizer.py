# gradwatch-corpus: kind=none
"""Meta-train a coordinatewise GRU optimizer on random quadratics, unrolled a few steps at a time."""
from dataclasses import dataclass, replace

import torch
from torch import nn


@dataclass(frozen=True)
class Problem:
    a: torch.Tensor
    b: torch.Tensor

    def __call__(self, theta):
        return (self.a @ theta - self.b).pow(2).mean()


@dataclass(frozen=True)
class Optimizee:
    problem: Problem
    theta: torch.Tensor
    hidden: torch.Tensor
    age: int = 0

    def cut(self):
        return replace(self, theta=self.theta.detach().requires_grad_(), hidden=self.hidden.detach())


class Rule(nn.Module):
    def __init__(self, hidden=10):
        super().__init__()
        self.cell = nn.GRUCell(2, hidden)
        self.head = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, grad, hidden):
        feats = torch.stack([grad.sign() * torch.log1p(grad.abs() * 10), grad.clamp(-1, 1)], -1)
        hidden = self.cell(feats, hidden)
        return 0.1 * self.head(hidden).squeeze(-1), hidden


def spawn(rule, dim=8):
    problem = Problem(torch.randn(dim, dim) / dim ** 0.5, torch.randn(dim))
    return Optimizee(problem, torch.randn(dim, requires_grad=True), torch.zeros(dim, rule.hidden))


def advance(rule, o):
    (g,) = torch.autograd.grad(o.problem(o.theta), o.theta, retain_graph=False)
    update, hidden = rule(g, o.hidden)
    return replace(o, theta=o.theta + update, hidden=hidden, age=o.age + 1)


def unroll(rule, o, k):
    losses = []
    for _ in range(k):
        o = advance(rule, o)
        losses.append(o.problem(o.theta))
    return o, torch.stack(losses)


def main(meta_steps=450, k=5, lifetime=60):
    torch.manual_seed(10)
    rule = Rule()
    opt = torch.optim.Adam(rule.parameters(), lr=3e-3)
    subject, finals = spawn(rule), []
    for step in range(meta_steps):
        subject, losses = unroll(rule, subject.cut(), k)
        meta_loss = (losses + 1e-6).log().mean()
        opt.zero_grad()
        meta_loss.backward()
        nn.utils.clip_grad_norm_(rule.parameters(), 1.0)
        opt.step()
        if subject.age >= lifetime:
            finals.append(losses[-1].item())
            subject = spawn(rule)
        if step % 90 == 89:
            print(step + 1, "final losses", [round(f, 3) for f in finals[-5:]])


if __name__ == "__main__":
    main()
