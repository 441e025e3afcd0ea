"""Reference points in weight space, and the penalty for walking away from them."""
import torch


class Anchor:
    """Base: one slot per parameter."""

    def __init__(self, named):
        self.named = named
        self.slots = {name: p.detach().clone() for name, p in named.items()}

    def blend(self, old, new):
        raise NotImplementedError

    def penalty(self):
        return sum((p - self.slots[name]).square().sum() for name, p in self.named.items())

    def advance(self):
        for name, p in self.named.items():
            self.slots[name] = self.blend(self.slots[name], p)  # <- culprit

    @torch.no_grad()
    def distance(self):
        return float(sum((p - self.slots[n]).norm() for n, p in self.named.items()))


class FixedAnchor(Anchor):
    def blend(self, old, new):
        return old


class PolyakAnchor(Anchor):
    def __init__(self, named, decay=0.99):
        super().__init__(named)
        self.decay = decay

    def blend(self, old, new):
        return old.lerp(new, 1.0 - self.decay)  # <- culprit
