from __future__ import annotations

import copy
from collections import deque

import torch
from torch import Tensor, nn


class EmaTeacher(nn.Module):
    """Slow copy of a student that labels the unlabelled part of a batch."""

    def __init__(self, student: nn.Module, decay: float, memory: int) -> None:
        super().__init__()
        self.net = copy.deepcopy(student).requires_grad_(False)
        self.decay = decay
        self.errors: deque[Tensor] = deque(maxlen=memory)

    @torch.no_grad()
    def follow(self, student: nn.Module) -> None:
        for slow, fast in zip(self.net.parameters(), student.parameters()):
            slow.lerp_(fast, 1.0 - self.decay)

    @torch.no_grad()
    def forward(self, x: Tensor) -> Tensor:
        return self.net(x)

    def note(self, gap: Tensor) -> None:
        self.errors.append(gap)

    def confidence(self) -> float:
        if len(self.errors) < 4:
            return 0.0
        spread = torch.stack(tuple(self.errors)).detach().mean().item()
        return 1.0 / (1.0 + 10.0 * spread)
