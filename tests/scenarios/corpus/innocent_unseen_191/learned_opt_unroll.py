# gradwatch-corpus: kind=none
import torch
import torch.nn as nn


class UpdateRule(nn.Module):
    def __init__(self, hidden=12):
        super().__init__()
        self.cell = nn.GRUCell(2, hidden)
        self.out = nn.Linear(hidden, 1)
        self.hidden = hidden

    def forward(self, grad, h):
        feats = torch.stack([grad, grad.abs().add(1e-6).log() / 10], dim=-1)
        h = self.cell(feats, h)
        return 0.05 * torch.tanh(self.out(h)).squeeze(-1), h


class Quadratic:
    def __init__(self, dim, gen):
        a = torch.randn(dim, dim, generator=gen) / dim ** 0.5
        self.a, self.b = a, torch.randn(dim, generator=gen)

    def __call__(self, theta):
        return (self.a @ theta - self.b).pow(2).mean()


class Unroller:
    def __init__(self, rule, dim, gen):
        self.rule, self.dim, self.gen = rule, dim, gen
        self.reset()

    def reset(self):
        self.task = Quadratic(self.dim, self.gen)
        self.theta = torch.zeros(self.dim)
        self.h = torch.zeros(self.dim, self.rule.hidden)
        self.meta = 0.0
        self.age = 0

    def advance(self):
        inner = self.theta.detach().requires_grad_()
        grad, = torch.autograd.grad(self.task(inner), inner)
        delta, self.h = self.rule(grad, self.h)
        self.theta = self.theta + delta
        self.meta = self.meta + self.task(self.theta)
        self.age += 1

    def truncate(self):
        self.theta.detach_()
        self.h = torch.empty_like(self.h).copy_(self.h.data)
        self.meta = 0.0


def main(steps=2400, unroll=20, lifetime=100):
    torch.manual_seed(50)
    rule = UpdateRule()
    opt = torch.optim.Adam(rule.parameters(), lr=3e-3)
    run = Unroller(rule, 10, torch.Generator().manual_seed(51))
    for step in range(1, steps + 1):
        run.advance()
        if step % unroll == 0:
            opt.zero_grad()
            loss = run.meta / unroll
            loss.backward()
            nn.utils.clip_grad_norm_(rule.parameters(), 1.0)
            opt.step()
            run.truncate()
            if step % 400 == 0:
                print(f"{step} age {run.age} meta {loss.item():.4f}")
        if run.age >= lifetime:
            run.reset()


if __name__ == "__main__":
    main()
