import random

import torch


class Balancer:
    def __init__(self):
        self.steps = 0
        self.last_losses = None

    def assign(self, losses, params):
        raise NotImplementedError

    def _per_task(self, losses, params):
        """One backward per task over the common graph."""
        rows = []
        names = list(losses)
        for k, name in enumerate(names):
            for p in params:
                p.grad = None
            losses[name].backward(retain_graph=k + 1 < len(names))
            rows.append([torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in params])
        return rows


class Plain(Balancer):
    def assign(self, losses, params):
        sum(losses.values()).backward()


class PCGrad(Balancer):
    def __init__(self):
        super().__init__()
        self.conflicts = 0
        self.rng = random.Random(0)

    def assign(self, losses, params):
        self.last_losses = losses
        rows = self._per_task(losses, params)
        flat = [torch.cat([g.flatten() for g in r]) for r in rows]
        out = torch.zeros_like(flat[0])
        for i, g in enumerate(flat):
            g = g.clone()
            others = [j for j in range(len(flat)) if j != i]
            self.rng.shuffle(others)
            for j in others:
                dot = g @ flat[j]
                if dot < 0:
                    self.conflicts += 1
                    g -= dot / flat[j].dot(flat[j]) * flat[j]
            out += g
        self.steps += 1
        for p, piece in zip(params, out.split([p.numel() for p in params])):
            p.grad = piece.view_as(p).clone()

    def conflict_rate(self):
        return self.conflicts / max(self.steps, 1)


def make_balancer(kind):
    return {"plain": Plain, "pcgrad": PCGrad}[kind]()
