from collections import deque

import torch
from torch.nn import functional as F


class Rewinder:
    """Keeps the last k2 samples with the state that each of them began in."""

    def __init__(self, net, state, k1, k2):
        self.net, self.state = net, state
        self.k1 = k1
        self.window = deque(maxlen=k2)
        self.count = 0

    def push(self, x, y):
        self.window.append((x, y, self.state))
        with torch.no_grad():
            _, self.state = self.net(x, self.state)
        self.count += 1
        if self.count % self.k1:
            return None
        state = self.window[0][2]
        losses = []
        for x, y, _ in self.window:
            logits, state = self.net(x, state)
            losses.append(F.cross_entropy(logits, y))
        self.state = tuple(s.detach() for s in state)
        return torch.stack(losses[-2 * self.k1:]).mean()
