# gradwatch-corpus: kind=none
"""Learning to learn: 8 unrolled inner steps whose graph is kept, then a meta-step, then the inner state is detached."""
import torch
from torch import nn


class CoordOptimizer(nn.Module):
    def __init__(self, h=12):
        super().__init__()
        self.cell = nn.GRUCell(1, h)
        self.out = nn.Linear(h, 1)

    def forward(self, g, state):
        state = self.cell(g, state)
        return 0.1 * self.out(state), state


class Quadratic:
    def __init__(self, n=24):
        self.W, self.y = torch.randn(n, n) / n ** 0.5, torch.randn(n)

    def __call__(self, theta):
        return (self.W @ theta.squeeze(1) - self.y).pow(2).sum()


torch.manual_seed(0)
opt_net = CoordOptimizer()
meta = torch.optim.Adam(opt_net.parameters(), lr=3e-3)
unroll, problem, theta, state = 8, None, None, None
for m in range(110):
    if m % 10 == 0:
        problem, theta, state = Quadratic(), torch.randn(24, 1), torch.zeros(24, 12)
    meta_loss = 0.0
    for _ in range(unroll):
        leaf = theta.detach().requires_grad_(True)
        g = torch.autograd.grad(problem(leaf), leaf)[0]
        update, state = opt_net(g, state)
        theta = theta + update
        meta_loss = meta_loss + problem(theta)
    meta.zero_grad()
    meta_loss.backward()
    meta.step()
    theta, state = theta.detach(), state.detach()
    if m % 22 == 0:
        print(m, meta_loss.item() / unroll)
