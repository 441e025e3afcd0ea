import random

import torch


class ProjectedGradients:
    """Yu et al. (2020): project each task's trunk gradient off those that it conflicts with."""

    def __init__(self, trunk, optimizer, seed):
        self.shared = list(trunk.parameters())
        self.optimizer = optimizer
        self.rng = random.Random(seed)
        self.pairs = self.conflicts = 0

    def conflict_rate(self):
        rate = self.conflicts / max(1, self.pairs)
        self.pairs = self.conflicts = 0
        return rate

    def _task_gradients(self, losses, heads):
        rows = []
        last = len(losses) - 1
        for i, (name, loss) in enumerate(losses.items()):
            own = list(heads[name].parameters())
            grads = torch.autograd.grad(loss, self.shared + own, retain_graph=i < last)
            rows.append(torch.cat([g.flatten() for g in grads[:len(self.shared)]]))
            for p, g in zip(own, grads[len(self.shared):]):
                p.grad = g
        return rows

    def _project(self, rows):
        out = []
        for i, g in enumerate(rows):
            g = g.clone()
            others = [j for j in range(len(rows)) if j != i]
            self.rng.shuffle(others)
            for j in others:
                dot = torch.dot(g, rows[j])
                self.pairs += 1
                if dot < 0:
                    self.conflicts += 1
                    g -= dot / rows[j].square().sum() * rows[j]
            out.append(g)
        return torch.stack(out).sum(0)

    def step(self, losses, heads):
        merged = self._project(self._task_gradients(losses, heads))
        offset = 0
        for p in self.shared:
            p.grad = merged[offset:offset + p.numel()].view_as(p)
            offset += p.numel()
        self.optimizer.step()
