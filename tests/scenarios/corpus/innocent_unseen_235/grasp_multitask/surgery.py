"""Projection of conflicting task gradients."""
from __future__ import annotations

from typing import Iterable, Sequence

import torch
from torch import Tensor, nn


class GradientSurgery:
    def __init__(self, shared: Iterable[nn.Parameter]) -> None:
        self.shared = list(shared)
        self.conflicts = 0
        self.calls = 0

    def task_gradients(self, losses: Sequence[Tensor]) -> list[Tensor]:
        flat = []
        for loss in losses:
            grads = torch.autograd.grad(loss, self.shared, retain_graph=True)
            flat.append(torch.cat([g.reshape(-1) for g in grads]))
        return flat

    def project(self, flat: list[Tensor]) -> Tensor:
        out = []
        for i, g in enumerate(flat):
            g = g.clone()
            for j, other in enumerate(flat):
                if i == j:
                    continue
                dot = torch.dot(g, other)
                self.calls += 1
                if dot < 0:
                    self.conflicts += 1
                    g = g - dot / other.square().sum().clamp_min(1e-12) * other
            out.append(g)
        return torch.stack(out).sum(dim=0)

    def backward(self, losses: Sequence[Tensor]) -> None:
        combined = self.project(self.task_gradients(losses))
        torch.stack(list(losses)).sum().backward()
        offset = 0
        for p in self.shared:
            n = p.numel()
            p.grad = combined[offset:offset + n].view_as(p).clone()
            offset += n
