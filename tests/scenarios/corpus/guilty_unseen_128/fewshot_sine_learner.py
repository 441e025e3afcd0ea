# gradwatch-corpus: kind=graph-held
# holder: learner.parameters() | p.grad | learner
# first-bad: 1
# notice: 8
import copy

import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(14)


def sine_task():
    amp, phase = torch.rand(()) * 4 + 0.5, torch.rand(()) * 3.14
    def pts(n):
        x = torch.rand(n, 1) * 10 - 5
        return x, amp * torch.sin(x + phase)
    return pts


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(1, 32)
        self.b = nn.Linear(32, 32)
        self.c = nn.Linear(32, 1)

    def forward(self, x):
        return self.c(torch.tanh(self.b(torch.tanh(self.a(x)))))


def adapt(learner, support, lr=0.02):
    """One plain gradient step plus a curvature-aware shrinkage of its size."""
    x, y = support
    F.mse_loss(learner(x), y).backward(create_graph=True)  # <- culprit
    gnorm = sum(p.grad.pow(2).sum() for p in learner.parameters())
    curv = torch.autograd.grad(gnorm, list(learner.parameters()), retain_graph=True)
    with torch.no_grad():
        for p, c in zip(learner.parameters(), curv):
            p.sub_(lr * (p.grad - 0.01 * c))


meta = Net()
outer = torch.optim.SGD(meta.parameters(), lr=0.5)
for task_no in range(400):
    pts = sine_task()
    learner = copy.deepcopy(meta)
    adapt(learner, pts(10))
    xq, yq = pts(10)
    g = torch.autograd.grad(F.mse_loss(learner(xq), yq), list(learner.parameters()))
    outer.zero_grad()
    for p, gp in zip(meta.parameters(), g):
        p.grad = gp.clamp(-0.1, 0.1)
    outer.step()
    if task_no % 80 == 0:
        with torch.no_grad():
            print(task_no, F.mse_loss(learner(xq), yq).item())
