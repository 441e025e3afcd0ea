from collections import deque
from typing import Deque, List, Optional

import torch


class NegativeQueue:
    def __init__(self, room: int) -> None:
        self.blocks: Deque[torch.Tensor] = deque(maxlen=room)

    def push(self, emb: torch.Tensor) -> None:
        self.blocks.append(emb.data.clone())

    def stacked(self) -> Optional[torch.Tensor]:
        return torch.cat(list(self.blocks)) if self.blocks else None


class RankHistory:
    def __init__(self) -> None:
        self.values: List[float] = []

    def add(self, logits: torch.Tensor) -> None:
        own = logits.diagonal()[:, None]
        rank = (logits > own).sum(1) + 1
        self.values.append((1.0 / rank).mean().item())

    def mrr(self, tail: int = 50) -> float:
        return sum(self.values[-tail:]) / len(self.values[-tail:])
