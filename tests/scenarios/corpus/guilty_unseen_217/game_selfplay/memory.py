import random
from collections import deque
from dataclasses import dataclass

import torch


@dataclass
class Turn:
    board: torch.Tensor
    action: torch.Tensor
    log_prob: torch.Tensor
    ret: torch.Tensor


class TurnMemory:
    def __init__(self, capacity, seed):
        self.storage = deque(maxlen=capacity)
        self.rng = random.Random(seed)

    def extend(self, turns):
        self.storage.extend(turns)  # <- culprit

    def sample(self, n):
        turns = self.rng.sample(self.storage, min(n, len(self.storage)))
        return (torch.cat([t.board for t in turns]), torch.cat([t.action for t in turns]),
                torch.cat([t.log_prob for t in turns]).detach(), torch.cat([t.ret for t in turns]))
