from contextlib import contextmanager

import torch


class Averager:
    def __init__(self, net, decay):
        self.net, self.decay = net, decay
        self.avg = [p.detach().clone() for p in net.parameters()]

    @torch.no_grad()
    def update(self):
        for a, p in zip(self.avg, self.net.parameters()):
            a.lerp_(p, 1 - self.decay)

    @torch.no_grad()
    def _load(self, values):
        for p, v in zip(self.net.parameters(), values):
            p.copy_(v)  # <- culprit

    @contextmanager
    def applied(self):
        own = [p.detach().clone() for p in self.net.parameters()]
        self._load(self.avg)  # <- culprit
        try:
            yield self.net
        finally:
            self._load(own)  # <- culprit
