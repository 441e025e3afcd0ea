from collections import defaultdict, deque

import torch
from torch import Tensor


class Meter:
    def __init__(self, keep: int) -> None:
        self.values: dict[str, deque[Tensor]] = defaultdict(lambda: deque(maxlen=keep))

    def push(self, **metrics: Tensor) -> None:
        for name, value in metrics.items():
            self.values[name].append(value)

    def __str__(self) -> str:
        return " ".join(f"{n} {torch.stack(tuple(v)).mean().item():.4f}" for n, v in self.values.items())
