import random

import torch


class ProjectedOptimizer:
    def __init__(self, inner):
        self.inner = inner
        self.params = [p for g in inner.param_groups for p in g["params"]]

    def _flat(self, loss, keep):
        self.inner.zero_grad(set_to_none=True)
        loss.backward(retain_graph=keep)
        return torch.cat([(p.grad if p.grad is not None else torch.zeros_like(p)).flatten() for p in self.params])

    def step(self, losses):
        flats = [self._flat(loss, keep=i + 1 < len(losses)) for i, loss in enumerate(losses)]
        merged = torch.zeros_like(flats[0])
        for i, g in enumerate(flats):
            g = g.clone()
            others = [o for j, o in enumerate(flats) if j != i]
            random.shuffle(others)
            for o in others:
                dot = g @ o
                if dot < 0:
                    g -= dot / (o @ o + 1e-12) * o
            merged += g
        at = 0
        for p in self.params:
            p.grad = merged[at:at + p.numel()].view_as(p).clone()
            at += p.numel()
        self.inner.step()
