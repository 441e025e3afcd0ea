from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import Tensor, nn


class KeyQueue(nn.Module):
    keys: Tensor
    head: Tensor

    def __init__(self, size: int, dim: int) -> None:
        super().__init__()
        self.register_buffer("keys", F.normalize(torch.randn(size, dim), dim=-1))
        self.register_buffer("head", torch.zeros((), dtype=torch.long))

    @torch.no_grad()
    def push(self, fresh: Tensor) -> None:
        at = (self.head + torch.arange(len(fresh))) % len(self.keys)
        keys = self.keys.clone()
        keys[at] = fresh
        self.keys = keys
        self.head = (self.head + len(fresh)) % len(self.keys)
