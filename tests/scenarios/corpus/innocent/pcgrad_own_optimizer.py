# gradwatch-corpus: kind=none
# about: PCGrad over eight tasks that share a body: eight backwards, retain_graph=True on all but
# about: the last; the optimizer is a class of the project's own that torch knows nothing of
import random

import torch
import torch.nn as nn
from parts.pace import ITERATIONS

TASKS = 8


class Lion:
    """Signs of a running mean."""

    def __init__(self, params, lr=1e-3, betas=(0.9, 0.99)):
        self.params, self.lr, self.betas = list(params), lr, betas
        self.mean = [torch.zeros_like(p) for p in self.params]

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    @torch.no_grad()
    def step(self):
        for p, m in zip(self.params, self.mean):
            p.add_((self.betas[0] * m + (1 - self.betas[0]) * p.grad).sign(), alpha=-self.lr)
            m.lerp_(p.grad, 1 - self.betas[1])


class PCGrad:
    def __init__(self, optimizer):
        self.optimizer = optimizer

    def _gradient(self, loss, retain):
        self.optimizer.zero_grad()
        loss.backward(retain_graph=retain)
        return torch.cat(
            [
                (torch.zeros_like(p) if p.grad is None else p.grad.clone()).flatten()
                for p in self.optimizer.params
            ]
        )

    def pc_backward(self, losses):
        last = len(losses) - 1
        grads = [self._gradient(loss, i < last) for i, loss in enumerate(losses)]
        projected = []
        for g in grads:
            g = g.clone()
            for other in random.sample(grads, len(grads)):
                dot = g @ other
                if dot < 0:
                    g -= dot * other / (other @ other)
            projected.append(g)
        merged, at = torch.stack(projected).mean(0), 0
        for p in self.optimizer.params:
            p.grad = merged[at : at + p.numel()].view_as(p)
            at += p.numel()

    def step(self):
        self.optimizer.step()


def main():
    random.seed(0)
    torch.manual_seed(0)
    body = nn.Sequential(nn.Linear(8, 24), nn.Tanh())
    heads = nn.ModuleList(nn.Linear(24, 1) for _ in range(TASKS))
    optimizer = PCGrad(Lion([*body.parameters(), *heads.parameters()]))
    truth = torch.randn(8, TASKS)
    for it in range(ITERATIONS):
        x = torch.randn(32, 8)
        y = torch.sin(x @ truth)
        shared = body(x)
        losses = [(h(shared).squeeze(1) - y[:, k]).pow(2).mean() for k, h in enumerate(heads)]
        optimizer.pc_backward(losses)
        optimizer.step()
        if it % 50 == 0:
            print(f"{it}: {sum(loss.item() for loss in losses) / TASKS:.6f}")


if __name__ == "__main__":
    main()
