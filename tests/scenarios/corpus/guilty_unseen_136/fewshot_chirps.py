# gradwatch-corpus: kind=second-backward
# holder: support_loss | inner[-1]
# first-bad: 0
# notice: 0
"""MAML-style few-shot regression of bird-chirp envelopes with an auxiliary support objective."""
import math
from collections import OrderedDict

import torch
import torch.nn as nn
from torch.func import functional_call

torch.set_num_threads(1)


class ChirpTask:
    def __init__(self):
        self.amp = 0.5 + torch.rand(()).item()
        self.rate = 2 + 3 * torch.rand(()).item()
        self.phase = 2 * math.pi * torch.rand(()).item()

    def sample(self, k):
        t = 2 * torch.rand(k, 1) - 1
        return t, self.amp * torch.sin(self.rate * t + self.phase) * torch.exp(-t * t)


class Envelope(nn.Module):
    def __init__(self, width=20):
        super().__init__()
        self.l1 = nn.Linear(1, width)
        self.l2 = nn.Linear(width, width)
        self.l3 = nn.Linear(width, 1)

    def forward(self, t):
        return self.l3(torch.tanh(self.l2(torch.tanh(self.l1(t)))))


class MAML:
    def __init__(self, net, inner_lr=0.05, steps=2, aux=0.1):
        self.net = net
        self.inner_lr = inner_lr
        self.steps = steps
        self.aux = aux
        self.mse = nn.MSELoss()
        self.opt = torch.optim.Adam(net.parameters(), lr=2e-3)

    def predict(self, weights, t):
        return functional_call(self.net, weights, (t,))

    def adapt(self, support):
        t, y = support
        weights = OrderedDict(self.net.named_parameters())
        inner = []
        for _ in range(self.steps):
            support_loss = self.mse(self.predict(weights, t), y)
            grads = torch.autograd.grad(support_loss, list(weights.values()))  # <- culprit
            weights = OrderedDict((n, w - self.inner_lr * g) for (n, w), g in zip(weights.items(), grads))
            inner.append(support_loss)
        return weights, inner

    def outer(self, tasks):
        query_total, aux_total = 0.0, 0.0
        for task in tasks:
            weights, inner = self.adapt(task.sample(6))
            t, y = task.sample(6)
            query_total = query_total + self.mse(self.predict(weights, t), y)
            aux_total = aux_total + inner[-1]  # <- culprit
        n = len(tasks)
        objective = query_total / n + self.aux * aux_total / n
        self.opt.zero_grad()
        objective.backward()
        self.opt.step()
        return query_total.item() / n


def main():
    torch.manual_seed(21)
    learner = MAML(Envelope())
    log = []
    for it in range(300):
        log.append(learner.outer([ChirpTask() for _ in range(3)]))
        if it % 50 == 49:
            print(it + 1, "query mse", sum(log[-50:]) / 50)


if __name__ == "__main__":
    main()
