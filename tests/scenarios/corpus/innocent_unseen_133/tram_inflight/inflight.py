from collections import deque
from dataclasses import dataclass
from typing import List

import torch


@dataclass
class Ticket:
    loss: torch.Tensor
    stash: List[torch.Tensor]
    version: int


class Pipeline:
    def __init__(self, depot, depth_plan):
        self.depot, self.plan = depot, depth_plan
        self.riding = deque()
        self.pushed = 0
        self.delays, self.losses = [], []

    @property
    def depth(self):
        return [d for start, d in self.plan if self.pushed >= start][-1]

    def push(self, x, y):
        stash = self.depot.stash()
        loss = (self.depot.run(stash, x) - y).square().mean()
        self.riding.append(Ticket(loss, stash, self.depot.version))
        while len(self.riding) >= self.depth:
            self.retire(self.riding.popleft())
        self.pushed += 1

    def retire(self, ticket):
        ticket.loss.backward()
        self.depot.absorb(ticket.stash)
        self.delays.append(self.depot.version - 1 - ticket.version)
        self.losses.append(ticket.loss.item())

    def drain(self):
        while self.riding:
            self.retire(self.riding.popleft())

    def recent(self, n=40):
        return sum(self.losses[-n:]) / n
