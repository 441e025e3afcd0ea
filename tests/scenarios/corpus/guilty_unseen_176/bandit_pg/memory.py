from collections import deque
from dataclasses import dataclass
from typing import Deque

import torch
from torch.distributions import Categorical


@dataclass(slots=True)
class Round:
    context: torch.Tensor
    policy: Categorical
    arm: torch.Tensor
    reward: torch.Tensor


class RoundLog:
    def __init__(self, capacity: int = 10_000):
        self.rounds: Deque[Round] = deque(maxlen=capacity)

    def add(self, round_: Round) -> None:
        self.rounds.append(round_)  # <- culprit

    def recent_regret(self, n: int = 50) -> float:
        tail = list(self.rounds)[-n:]
        return 1.0 - sum(r.reward.mean().item() for r in tail) / max(len(tail), 1)
