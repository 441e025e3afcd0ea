from collections import defaultdict

import torch


class ResidualBook:
    """Newest ``keep`` residual means for every plant."""

    def __init__(self, keep=5):
        self.keep = keep
        self.by_plant = defaultdict(list)

    def add(self, plant, value):
        recent = self.by_plant[plant]
        recent.append(value)  # <- culprit
        if len(recent) > self.keep:
            recent = recent[-self.keep:]  # <- culprit
        return recent

    def bias(self, plant):
        newest = self.by_plant[plant][-self.keep:]
        return torch.stack(newest).mean().item()
