from typing import NamedTuple

import torch


class Cell(NamedTuple):
    logp: torch.Tensor
    entropy: torch.Tensor
    reward: float


class SwapBuffer:
    """Two lists: the actor fills the front one, the learner reads the back one."""

    def __init__(self, capacity):
        self.capacity = capacity
        self.front = []
        self.back = []

    def push(self, logp, entropy, reward):
        self.front.append(Cell(logp, entropy, reward))

    def full(self):
        return len(self.front) >= self.capacity

    def swap(self):
        self.front, self.back = self.back, self.front
        self.front.clear()
        return self.back

    def back_reward(self):
        return sum(c.reward for c in self.back) / max(1, len(self.back))
