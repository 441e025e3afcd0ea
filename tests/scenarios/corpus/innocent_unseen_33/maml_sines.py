# gradwatch-corpus: kind=none
"""Second-order MAML on sine regression with functional_call."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.func import functional_call


class SineTask:
    def __init__(self):
        self.amp = 0.5 + 2.0 * torch.rand(1)
        self.phase = math.pi * torch.rand(1)

    def draw(self, k):
        x = 8 * torch.rand(k, 1) - 4
        return x, self.amp * torch.sin(x + self.phase)


class MetaLearner:
    def __init__(self, net, inner_lr=0.02, inner_steps=2):
        self.net = net
        self.inner_steps = inner_steps
        self.log_alpha = nn.ParameterDict(
            {n.replace(".", "_"): nn.Parameter(torch.tensor(inner_lr).log()) for n, _ in net.named_parameters()}
        )
        self.fast = None
        self.trace = []

    def parameters(self):
        yield from self.net.parameters()
        yield from self.log_alpha.parameters()

    def adapt(self, x, y):
        self.fast = dict(self.net.named_parameters())
        for _ in range(self.inner_steps):
            loss = F.mse_loss(functional_call(self.net, self.fast, (x,)), y)
            grads = torch.autograd.grad(loss, list(self.fast.values()), create_graph=True)
            self.fast = {
                n: w - self.log_alpha[n.replace(".", "_")].exp() * g
                for (n, w), g in zip(self.fast.items(), grads)
            }
        self.trace.append(loss.detach())

    def query_loss(self, x, y):
        return F.mse_loss(functional_call(self.net, self.fast, (x,)), y)

    def meta_loss(self, tasks, k=8):
        losses = []
        for task in tasks:
            self.adapt(*task.draw(k))
            losses.append(self.query_loss(*task.draw(k)))
        self.fast = None
        return torch.stack(losses).mean()


def main():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 24), nn.Tanh(), nn.Linear(24, 1))
    learner = MetaLearner(net)
    opt = torch.optim.Adam(learner.parameters(), lr=2e-3)
    for it in range(80):
        loss = learner.meta_loss([SineTask() for _ in range(3)])
        opt.zero_grad()
        loss.backward()
        opt.step()
        if it % 20 == 0:
            inner = torch.stack(learner.trace[-3:]).mean().item()
            print(f"meta {it:3d} query {loss.item():.3f} inner {inner:.3f}")


if __name__ == "__main__":
    main()
