from __future__ import annotations

from typing import Iterator

import torch
from torch import Tensor


def log_batches(vocab: int, batch: int, length: int) -> Iterator[tuple[Tensor, Tensor]]:
    """A token is anomalous if the same token came two places before."""
    while True:
        ids = torch.randint(vocab, (batch, length))
        repeat = torch.rand(batch, length) < 0.3
        repeat[:, :2] = False
        for t in range(2, length):
            ids[:, t] = torch.where(repeat[:, t], ids[:, t - 2], ids[:, t])
        yield ids, repeat.float()
