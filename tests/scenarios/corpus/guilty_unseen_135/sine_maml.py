# gradwatch-corpus: kind=graph-held
# holder: p.grad | learner.parameters() | [p.grad for p in learner.parameters()] | learner.body.weight.grad
# first-bad: 1
# notice: 8
"""Meta-learning of sine waves: a copy of the meta net is adapted per task, its update is differentiated."""
import copy
import math
import warnings

import torch

torch.set_num_threads(1)
from torch import nn
from torch.func import functional_call

warnings.filterwarnings("ignore")


class SineNet(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.inp = nn.Linear(1, width)
        self.body = nn.Linear(width, width)
        self.out = nn.Linear(width, 1)

    def forward(self, x):
        return self.out(torch.tanh(self.body(torch.tanh(self.inp(x)))))


class SineTasks:
    def __iter__(self):
        while True:
            amp, phase = torch.empty(1).uniform_(0.5, 3.0), torch.empty(1).uniform_(0, math.pi)
            x = torch.empty(20, 1).uniform_(-4, 4)
            y = amp * torch.sin(x + phase)
            yield (x[:10], y[:10]), (x[10:], y[10:])


def adapt(learner, support, inner_lr):
    x, y = support
    inner = nn.functional.mse_loss(learner(x), y)
    inner.backward(create_graph=True)  # <- culprit
    return {name: p - inner_lr * p.grad for name, p in learner.named_parameters()}


class MetaTrainer:
    def __init__(self, net, inner_lr=0.02, lr=1e-3):
        self.net = net
        self.inner_lr = inner_lr
        self.opt = torch.optim.Adam(net.parameters(), lr=lr)

    def meta_step(self, task):
        support, (xq, yq) = task
        learner = copy.deepcopy(self.net)
        for p in learner.parameters():
            p.grad = None
        fast = adapt(learner, support, self.inner_lr)
        query = nn.functional.mse_loss(functional_call(learner, fast, (xq,)), yq)
        grads = torch.autograd.grad(query, list(learner.parameters()))
        for p, g in zip(self.net.parameters(), grads):
            p.grad = g
        self.opt.step()
        self.opt.zero_grad()
        return query.item()


if __name__ == "__main__":
    torch.manual_seed(30)
    meta = MetaTrainer(SineNet())
    smooth = None
    for i, task in zip(range(250), SineTasks()):
        q = meta.meta_step(task)
        smooth = q if smooth is None else 0.97 * smooth + 0.03 * q
        if i % 50 == 0:
            print(f"task {i:3d} query mse {smooth:.3f}")
