"""Gradient surgery between two tasks (projection of conflicting gradients)."""
from dataclasses import dataclass

import torch
from torch.nn import functional as F


@dataclass
class Report:
    losses: dict
    cosine: float

    def __str__(self):
        return " ".join(f"{k}={v:.4f}" for k, v in self.losses.items())


def flat(params):
    return torch.cat([p.grad.reshape(-1) for p in params])


class TwoGradients:
    def __init__(self, model, lr):
        self.model = model
        self.shared = list(model.body.parameters())
        self.optimizers = [
            torch.optim.Adam(self.shared, lr=lr),
            torch.optim.Adam(model.heads.parameters(), lr=lr),
        ]

    def _losses(self, z, targets):
        for name, target in targets.items():
            logit = self.model.heads[name](z).squeeze(-1)
            yield name, F.binary_cross_entropy_with_logits(logit, target)

    def _separate(self, losses):
        grads = []
        last = len(losses) - 1
        for i, loss in enumerate(losses.values()):
            self.optimizers[0].zero_grad()
            loss.backward(retain_graph=i < last)
            grads.append(flat(self.shared))
        return grads

    def _assign(self, merged):
        at = 0
        for p in self.shared:
            p.grad = merged[at:at + p.numel()].view_as(p).clone()
            at += p.numel()

    def step(self, z, targets):
        self.optimizers[1].zero_grad()
        losses = dict(self._losses(z, targets))
        a, b = self._separate(losses)
        dot = a @ b
        if dot < 0:
            merged = (a - dot / b.dot(b) * b) + (b - dot / a.dot(a) * a)
        else:
            merged = a + b
        self._assign(merged)
        for opt in self.optimizers:
            opt.step()
        cosine = dot / (a.norm() * b.norm() + 1e-12)
        return Report({k: v.item() for k, v in losses.items()}, cosine.item())
