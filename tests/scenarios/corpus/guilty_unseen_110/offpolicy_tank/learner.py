from abc import ABC, abstractmethod

import torch


class OffPolicyLearner(ABC):
    """Subclasses give optimizers and a dict of losses; the rest is common."""

    def __init__(self):
        self.optims = {}
        self.updates = 0

    @abstractmethod
    def losses(self, batch):
        ...

    def after_update(self):
        pass

    def _apply(self, name, loss):
        opt = self.optims[name]
        opt.zero_grad()
        loss.backward()
        opt.step()  # <- culprit

    def update(self, batch):
        out = self.losses(batch)
        for name in self.optims:
            if name in out:
                self._apply(name, out[name])  # <- culprit
        self.updates += 1
        self.after_update()
        return {k: v.item() for k, v in out.items()}


def polyak(dst, src, tau):
    with torch.no_grad():
        for d, s in zip(dst.parameters(), src.parameters()):
            d.lerp_(s, tau)
