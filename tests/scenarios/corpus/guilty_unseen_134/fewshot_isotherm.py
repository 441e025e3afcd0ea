# gradwatch-corpus: kind=crashed
# holder: fast | adapted
# first-bad: 80
# notice: 0
"""First-order MAML over Langmuir adsorption isotherms (each task one material)."""
import argparse
from collections import OrderedDict
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call

torch.set_num_threads(1)

DEFAULTS = dict(seed=5, shots=8, queries=12, tasks=4, inner_lr=0.05, outer_lr=2e-3, pretrain=80, meta=400, first_order=True)


class IsothermTasks:
    def __init__(self, shots, queries):
        self.shots, self.queries = shots, queries

    def sample(self):
        qmax = 0.5 + torch.rand(1) * 2
        b = 0.3 + torch.rand(1) * 4
        p = torch.rand(self.shots + self.queries, 1) * 3
        q = qmax * b * p / (1 + b * p)
        return (p[:self.shots], q[:self.shots]), (p[self.shots:], q[self.shots:])


class Regressor(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(1, hidden), nn.SiLU(), nn.Linear(hidden, hidden), nn.SiLU(), nn.Linear(hidden, 1))

    def forward(self, p):
        return self.layers(p)


class MetaTrainer:
    def __init__(self, args):
        self.args = args
        self.net = Regressor()
        self.tasks = IsothermTasks(args.shots, args.queries)
        self.outer = torch.optim.Adam(self.net.parameters(), lr=args.outer_lr)

    def _loss(self, weights, batch):
        p, q = batch
        return F.mse_loss(functional_call(self.net, weights, (p,)), q)

    def adapt(self, support):
        weights = OrderedDict(self.net.named_parameters())
        loss = self._loss(weights, support)
        grads = torch.autograd.grad(loss, weights.values(), create_graph=not self.args.first_order)
        fast = OrderedDict()
        for (name, w), g in zip(weights.items(), grads):
            step = w - self.args.inner_lr * g
            fast[name] = step.detach() if self.args.first_order else step  # <- culprit
        return fast

    def pretrain(self):
        for _ in range(self.args.pretrain):
            support, query = self.tasks.sample()
            both = tuple(torch.cat(z) for z in zip(support, query))
            self.outer.zero_grad()
            self._loss(OrderedDict(self.net.named_parameters()), both).backward()
            self.outer.step()

    def meta_step(self):
        self.outer.zero_grad()
        losses = []
        for _ in range(self.args.tasks):
            support, query = self.tasks.sample()
            adapted = self.adapt(support)
            losses.append(self._loss(adapted, query))
        meta_loss = torch.stack(losses).mean()
        meta_loss.backward()
        self.outer.step()
        return meta_loss.item()

    def run(self):
        self.pretrain()
        return [self.meta_step() for _ in range(self.args.meta)]


def main():
    args = SimpleNamespace(**DEFAULTS)
    torch.manual_seed(args.seed)
    print(MetaTrainer(args).run()[-1])


if __name__ == "__main__":
    main()
