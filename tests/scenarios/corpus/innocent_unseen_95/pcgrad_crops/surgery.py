import random

import torch


class PCGrad:
    """Project conflicting task gradients on the shared trunk (Yu et al., 2020)."""

    def __init__(self, optimizer, model):
        self.optimizer = optimizer
        self.shared = list(model.trunk.parameters())
        self.heads = list(model.heads.parameters())
        self.conflicts = 0

    def zero_grad(self):
        self.optimizer.zero_grad()

    def accumulate(self, losses, scale):
        names = list(losses)
        flat = []
        for i, name in enumerate(names):
            last = i == len(names) - 1
            grads = torch.autograd.grad(losses[name] * scale, self.shared + self.heads,
                                        retain_graph=not last, allow_unused=True)
            shared, heads = grads[: len(self.shared)], grads[len(self.shared):]
            flat.append(torch.cat([g.flatten() for g in shared]))
            for p, g in zip(self.heads, heads):
                if g is not None:
                    p.grad = g if p.grad is None else p.grad + g
        self._write(self._project(flat))

    def _project(self, flat):
        out = []
        for i, g in enumerate(flat):
            g = g.clone()
            others = [o for j, o in enumerate(flat) if j != i]
            random.shuffle(others)
            for o in others:
                dot = torch.dot(g, o)
                if dot < 0:
                    g -= dot / (o.norm() ** 2 + 1e-12) * o
                    self.conflicts += 1
            out.append(g)
        return torch.stack(out).sum(0)

    def _write(self, vec):
        pos = 0
        for p in self.shared:
            g = vec[pos:pos + p.numel()].view_as(p)
            p.grad = g.clone() if p.grad is None else p.grad + g
            pos += p.numel()

    def step(self):
        self.optimizer.step()
