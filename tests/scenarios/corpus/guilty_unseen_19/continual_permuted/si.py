"""Path-integral importance of weights."""
from __future__ import annotations

import torch
from torch import nn


class SynapticIntelligence:
    def __init__(self, model: nn.Module, strength: float, xi: float = 0.1):
        self.model = model
        self.strength = strength
        self.xi = xi
        self.omega = {n: torch.zeros_like(p) for n, p in model.named_parameters()}
        self.anchor = {n: p.detach().clone() for n, p in model.named_parameters()}
        self.path = {n: torch.zeros_like(p) for n, p in model.named_parameters()}
        self._before: dict[str, torch.Tensor] = {}

    def before_step(self) -> None:
        for name, p in self.model.named_parameters():
            self._before[name] = p.detach().clone()

    def after_step(self, grads: dict[str, torch.Tensor]) -> None:
        for name, p in self.model.named_parameters():
            moved = p - self._before[name]  # <- culprit
            self.path[name] = self.path[name] - grads[name] * moved  # <- culprit

    def penalty(self) -> torch.Tensor:
        total = torch.zeros(())
        for name, p in self.model.named_parameters():
            total = total + (self.omega[name] * (p - self.anchor[name]) ** 2).sum()
        return self.strength * total

    @torch.no_grad()
    def consolidate(self) -> None:
        for name, p in self.model.named_parameters():
            travelled = (p - self.anchor[name]) ** 2
            self.omega[name] += torch.relu(self.path[name]) / (travelled + self.xi)
            self.anchor[name] = p.clone()
            self.path[name] = torch.zeros_like(p)
