"""Prioritised replay: a window of the latest transitions, and a heap to find the most surprising among them."""
import heapq
import itertools
from collections import deque
from typing import NamedTuple

import torch


class Transition(NamedTuple):
    frame: torch.Tensor
    action: torch.Tensor
    reward: torch.Tensor
    next_frame: torch.Tensor
    done: torch.Tensor


class PrioritisedReplay:
    def __init__(self, capacity):
        self.window = deque(maxlen=capacity)
        self.heap = []
        self.tick = itertools.count()

    def __len__(self):
        return len(self.window)

    def add(self, item, priority, fresh=True):
        if fresh:
            self.window.append(item)
        heapq.heappush(self.heap, (-priority, next(self.tick), item))  # <- culprit

    def top(self, n):
        """Half by priority, half uniformly from the window."""
        best = [heapq.heappop(self.heap)[2] for _ in range(min(n // 2, len(self.heap)))]
        picks = torch.randint(len(self.window), (n - len(best),)).tolist()
        return best + [self.window[i] for i in picks]
