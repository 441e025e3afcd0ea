import math

import torch


class TideLog:
    def __init__(self, n_symbols, lanes):
        self.n, self.lanes = n_symbols, lanes
        self.phase = torch.rand(lanes) * 6.28

    def windows(self, k):
        t = 0
        prev = self._symbol(0)
        while True:
            xs = [prev]
            for _ in range(k):
                t += 1
                xs.append(self._symbol(t))
            prev = xs[-1]
            yield torch.stack(xs)

    def _symbol(self, t):
        level = torch.sin(0.37 * t + self.phase) + 0.5 * math.sin(0.11 * t) + 0.1 * torch.randn(self.lanes)
        return ((level + 1.8) / 3.6 * self.n).long().clamp(0, self.n - 1)
