from collections import defaultdict
from dataclasses import dataclass

import torch


@dataclass
class Decision:
    hour: int
    level: torch.Tensor
    value: torch.Tensor
    reward: torch.Tensor


class DecisionJournal:
    def __init__(self):
        self.decisions = defaultdict(list)

    def enter(self, day, decision):
        self.decisions[day].append(decision)  # <- culprit

    def value_spread(self, last):
        days = sorted(self.decisions)[-last:]
        with torch.no_grad():
            values = torch.cat([d.value for day in days for d in self.decisions[day]])
            return values.std().item()
