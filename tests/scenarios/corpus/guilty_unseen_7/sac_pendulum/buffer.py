import random
from collections import deque, namedtuple

import torch

Transition = namedtuple("Transition", "obs act logp rew nxt end")


class Experience:
    def __init__(self, capacity):
        self._ring = deque(maxlen=capacity)

    def __len__(self):
        return len(self._ring)

    def push(self, t):
        self._ring.append(t)

    def draw(self, n):
        picks = random.sample(self._ring, min(n, len(self._ring)))
        return dict(
            obs=torch.stack([p.obs for p in picks]),
            act=torch.stack([p.act for p in picks]),
            rew=torch.tensor([p.rew for p in picks]),
            nxt=torch.stack([p.nxt for p in picks]),
            end=torch.tensor([float(p.end) for p in picks]),
        )

    def mean_logp(self, k):
        recent = list(self._ring)[-k:]
        return sum(float(p.logp) for p in recent) / len(recent)
