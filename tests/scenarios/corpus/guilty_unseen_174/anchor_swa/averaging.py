"""Weight averages used as regularisation anchors."""
import torch


class Averager:
    def __init__(self, module, warmup=10):
        self.names = [n for n, _ in module.named_parameters()]
        self.module = module
        self.warmup = warmup
        self.updates = 0
        self.slots = {n: torch.zeros_like(p) for n, p in module.named_parameters()}

    def rate(self):
        raise NotImplementedError

    def update(self):
        self.updates += 1
        rate = self.rate()
        for name, p in self.module.named_parameters():
            self.slots[name] = torch.lerp(self.slots[name], p, rate)  # <- culprit

    def distance(self):
        total = 0.0
        for name, p in self.module.named_parameters():
            total = total + (p - self.slots[name]).pow(2).sum()
        return total


class PolyakAverager(Averager):
    def __init__(self, module, decay=0.98, warmup=10):
        super().__init__(module, warmup)
        self.decay = decay

    def rate(self):
        if self.updates <= self.warmup:
            return 1.0 / self.updates
        return 1.0 - self.decay
