# gradwatch-corpus: kind=graph-chain
# holder: theta | learner.theta | self.theta
# first-bad: 1
# notice: 5
"""Per-coordinate step sizes, tuned while a ridge problem is being solved online."""
import torch
from torch import nn

torch.set_num_threads(1)
torch.manual_seed(77)

DIM = 8


def minibatch(w, n=20):
    x = torch.randn(n, DIM) * torch.linspace(0.3, 2.0, DIM)
    return x, x @ w + 0.1 * torch.randn(n)


def ridge(x, y, w):
    return ((x @ w - y) ** 2).mean() + 1e-3 * (w**2).sum()


class StepSizes(nn.Module):
    def __init__(self):
        super().__init__()
        self.raw = nn.Parameter(torch.full((DIM,), -4.0))

    def forward(self):
        return torch.exp(self.raw)


class HyperLearner:
    def __init__(self):
        self.rates = StepSizes()
        self.outer = torch.optim.Adam(self.rates.parameters(), lr=0.01)
        self.theta = torch.zeros(DIM)

    def inner(self, x, y):
        at = self.theta.detach().requires_grad_()
        (g,) = torch.autograd.grad(ridge(x, y, at), at)
        self.theta = self.theta - self.rates() * g  # <- culprit

    def outer_step(self, x, y):
        held_out = ridge(x, y, self.theta)
        self.outer.zero_grad()
        held_out.backward(retain_graph=True)  # <- culprit
        self.outer.step()
        return held_out.item()


w_true = torch.randn(DIM)
learner = HyperLearner()
for k in range(220):
    learner.inner(*minibatch(w_true))
    v = learner.outer_step(*minibatch(w_true))
    if k % 44 == 0:
        print(k, f"{v:.4f}", learner.rates().tolist()[:3])
