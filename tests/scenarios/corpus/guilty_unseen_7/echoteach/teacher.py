"""Weight averaging in the functional style: the averaged weights are a plain dict."""
from contextlib import contextmanager

from torch.func import functional_call


class SlowTwin:
    def __init__(self, module, half_life=60):
        self.module = module
        self.rate = 1 - 0.5 ** (1 / half_life)
        self.slow = {name: w.clone() for name, w in module.named_parameters()}

    def follow(self):
        for name, w in self.module.named_parameters():
            self.slow[name].lerp_(w, self.rate)  # <- culprit

    def __call__(self, *inputs):
        return functional_call(self.module, self.slow, inputs)

    @contextmanager
    def swapped_in(self):
        kept = {n: w.detach().clone() for n, w in self.module.named_parameters()}
        for n, w in self.module.named_parameters():
            w.data.copy_(self.slow[n])
        try:
            yield self.module
        finally:
            for n, w in self.module.named_parameters():
                w.data.copy_(kept[n])
