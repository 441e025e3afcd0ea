# gradwatch-corpus: kind=graph-held
# holder: p.grad | learner.l1.weight.grad | learner.parameters()
# first-bad: 1
# notice: 8
import copy
import warnings

import torch

torch.set_num_threads(1)
warnings.filterwarnings("ignore")
from torch import nn


class Sine(nn.Module):
    def __init__(self):
        super().__init__()
        self.l1 = nn.Linear(1, 16)
        self.l2 = nn.Linear(16, 1)

    def forward(self, x, weights=None):
        w1, b1, w2, b2 = weights if weights is not None else self.parameters()
        return nn.functional.linear(torch.tanh(nn.functional.linear(x, w1, b1)), w2, b2)


def sample_task():
    amp, phase = 0.5 + 2 * torch.rand(1), 3.14 * torch.rand(1)

    def draw(n):
        x = 10 * torch.rand(n, 1) - 5
        return x, amp * torch.sin(x + phase)

    return draw


def adapt(learner, rates, draw):
    x, y = draw(10)
    inner = (learner(x) - y).pow(2).mean()
    inner.backward(create_graph=True)  # <- culprit
    return [p - r.exp() * p.grad for p, r in zip(learner.parameters(), rates)]


def main():
    torch.manual_seed(11)
    template = Sine()
    rates = [nn.Parameter(torch.full_like(p, -4.0)) for p in template.parameters()]
    meta_opt = torch.optim.Adam(rates, lr=0.02)
    for episode in range(350):
        learner = copy.deepcopy(template)
        draw = sample_task()
        fast = adapt(learner, rates, draw)
        x, y = draw(20)
        outer = (learner(x, fast) - y).pow(2).mean()
        for r, g in zip(rates, torch.autograd.grad(outer, rates)):
            r.grad = g
        meta_opt.step()
        with torch.no_grad():
            for p, f in zip(template.parameters(), fast):
                p.lerp_(f, 0.05)
        if episode % 100 == 0:
            print(episode, round(outer.item(), 4))
    print("mean log-rate", float(torch.cat([r.flatten() for r in rates]).mean()))


main()
