"""What the jobs train on."""

from __future__ import annotations

import torch
from torch import nn


def net() -> nn.Sequential:
    torch.manual_seed(0)
    return nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))


def batches(count: int = 3) -> list[torch.Tensor]:
    torch.manual_seed(1)
    return [torch.randn(16, 4) for _ in range(count)]


def train(model: nn.Module, batch: torch.Tensor) -> torch.Tensor:
    """One iteration, and what the model gave."""
    given = model(batch)
    for weight in model.parameters():
        weight.grad = None
    given.pow(2).mean().backward()
    with torch.no_grad():
        for weight in model.parameters():
            if weight.grad is not None:
                weight.sub_(0.01 * weight.grad)
    return given.detach().requires_grad_() * 1
