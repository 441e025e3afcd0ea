import itertools
import math
from collections import deque

import torch


class SineTask:
    def __init__(self, uid, amp, phase, gen):
        self.uid, self.amp, self.phase, self.gen = uid, amp, phase, gen

    def points(self, n):
        x = 10 * torch.rand(n, 1, generator=self.gen) - 5
        return x, self.amp * torch.sin(x + self.phase)


class SineFamily:
    def __init__(self, seed, keep):
        self.gen = torch.Generator().manual_seed(seed)
        self._uid = itertools.count()
        self._recent = deque(maxlen=keep)

    def draw(self, n):
        for _ in range(n):
            a, p = torch.rand(2, generator=self.gen).tolist()
            task = SineTask(next(self._uid), 0.1 + 4.9 * a, math.pi * p, self.gen)
            self._recent.append(task)
            yield task

    def recent(self, n):
        return list(self._recent)[-n:]
