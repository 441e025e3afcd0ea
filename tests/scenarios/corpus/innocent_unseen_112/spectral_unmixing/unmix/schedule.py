import itertools
from dataclasses import dataclass

import torch


@dataclass
class Turn:
    name: str
    optimizer: torch.optim.Optimizer
    times: int = 1
    taken: int = 0

    def take(self, objective):
        """The other blocks get gradients too; they drop them at the start of their own turn."""
        self.optimizer.zero_grad()
        loss = objective()
        loss.backward()
        self.optimizer.step()
        self.taken += 1
        return loss.item()


def round_robin(turns):
    return itertools.cycle([t for t in turns for _ in range(t.times)])
