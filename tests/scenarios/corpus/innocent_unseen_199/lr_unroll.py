# gradwatch-corpus: kind=none
"""Learns a preconditioner online by differentiating through the last ten updates of a learner."""
import torch
from torch import nn

UNROLL = 10


class Learner:
    """Weights of a small regressor, as plain tensors that are rebuilt by each update."""

    def __init__(self, gen, sizes=(8, 16, 1)):
        self.gen = gen
        self.sizes = sizes
        self.restart()

    def restart(self):
        self.w = [torch.randn(a, b, generator=self.gen) / a ** 0.5 for a, b in zip(self.sizes, self.sizes[1:])]
        self.m = [torch.zeros_like(w) for w in self.w]
        for w in self.w:
            w.requires_grad_()

    def predict(self, x):
        return torch.tanh(x @ self.w[0]) @ self.w[1]

    def cut(self):
        self.w = [w.detach().requires_grad_() for w in self.w]
        self.m = [m.detach() for m in self.m]


class Rule(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.log_lr = nn.Parameter(torch.full((n,), -3.0))
        self.beta = nn.Parameter(torch.zeros(n))

    def forward(self, learner, grads):
        new_w, new_m = [], []
        for i, (w, m, g) in enumerate(zip(learner.w, learner.m, grads)):
            m = torch.sigmoid(self.beta[i]) * m + g
            new_m.append(m)
            new_w.append(w - self.log_lr[i].exp() * m)
        learner.w, learner.m = new_w, new_m


def main():
    torch.manual_seed(80)
    gen = torch.Generator().manual_seed(81)
    learner, rule = Learner(gen), Rule(2)
    opt = torch.optim.Adam(rule.parameters(), lr=0.02)
    teacher = torch.randn(8, 1, generator=gen)
    objective = torch.zeros(())
    lrs, finals = [], []
    for t in range(UNROLL * 450):
        x = torch.randn(16, 8, generator=gen)
        y = torch.sin(x @ teacher)
        loss = (learner.predict(x) - y).square().mean()
        objective = objective + loss
        grads = torch.autograd.grad(loss, learner.w, create_graph=True)
        rule(learner, grads)
        if (t + 1) % UNROLL == 0:
            opt.zero_grad()
            (objective / UNROLL).backward()
            opt.step()
            finals.append(loss.item())
            objective = torch.zeros(())
            if (t + 1) % (UNROLL * 10) == 0:
                learner.restart()
            else:
                learner.cut()
            lrs.append(rule.log_lr.detach().exp())
        if (t + 1) % 900 == 0:
            print(t + 1, sum(finals[-30:]) / 30, lrs[-1].tolist())


main()
