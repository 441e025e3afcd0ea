from contextlib import contextmanager

import torch


class ShadowWeights:
    def __init__(self, params, decay):
        self.params = list(params)
        self.decay = decay
        self.shadow = [p.detach().clone() for p in self.params]

    @torch.no_grad()
    def update(self):
        for s, p in zip(self.shadow, self.params):
            s.lerp_(p, 1 - self.decay)

    @contextmanager
    def applied(self):
        saved = [p.detach().clone() for p in self.params]
        self._load(self.shadow)
        try:
            yield
        finally:
            self._load(saved)

    @torch.no_grad()
    def _load(self, values):
        for p, v in zip(self.params, values):
            p.copy_(v)  # <- culprit
