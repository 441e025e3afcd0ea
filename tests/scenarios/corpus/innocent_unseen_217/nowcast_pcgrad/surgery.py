import random

import torch


class PCGrad:
    """Projects conflicting task gradients before the wrapped optimizer's step."""

    def __init__(self, optimizer, seed):
        self.optimizer, self.rng, self.conflicts = optimizer, random.Random(seed), 0
        self.params = [p for g in optimizer.param_groups for p in g["params"]]

    def _flat(self):
        return torch.cat([(torch.zeros_like(p) if p.grad is None else p.grad).flatten() for p in self.params])

    def _task_grads(self, losses):
        grads = []
        for i, loss in enumerate(losses):
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward(retain_graph=i < len(losses) - 1)
            grads.append(self._flat())
        return grads

    def step(self, losses):
        grads = self._task_grads(list(losses.values()))
        merged = torch.zeros_like(grads[0])
        for g in grads:
            g = g.clone()
            for other in self.rng.sample(grads, len(grads)):
                dot = g @ other
                if dot < 0:
                    self.conflicts += 1
                    g -= dot / (other @ other + 1e-12) * other
            merged += g
        i = 0
        for p in self.params:
            p.grad = merged[i:i + p.numel()].view_as(p).clone()
            i += p.numel()
        self.optimizer.step()
