import random

import torch


class PCGrad:
    """Gradient surgery (Yu et al.): each task's gradient is projected off those it conflicts with."""

    def __init__(self, net, optimizer):
        self.params = list(net.parameters())
        self.inner = optimizer

    def task_gradient(self, loss, last):
        self.inner.zero_grad()
        loss.backward(retain_graph=not last)
        parts = [torch.zeros_like(p) if p.grad is None else p.grad for p in self.params]
        return torch.cat([g.flatten() for g in parts]).clone()

    def step(self, losses):
        items = list(losses.values())
        grads = [self.task_gradient(l, k == len(items) - 1) for k, l in enumerate(items)]
        merged, hits = [g.clone() for g in grads], 0
        for i, g in enumerate(merged):
            others = [j for j in range(len(grads)) if j != i]
            random.shuffle(others)
            for j in others:
                dot = g @ grads[j]
                if dot < 0:
                    g -= dot / grads[j].square().sum().clamp(min=1e-12) * grads[j]
                    hits += 1
        total, at = torch.stack(merged).sum(0), 0
        for p in self.params:
            p.grad = total[at : at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.inner.step()
        return hits
