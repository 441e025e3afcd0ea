import torch
from torch.func import functional_call


class ShadowWeights:
    """Exponential moving copy of a module, called through functional_call."""

    def __init__(self, module, decay):
        self.module = module
        self.decay = decay
        self.num_updates = 0
        self.shadow = {n: p.detach().clone() for n, p in module.named_parameters()}

    def _current_decay(self):
        return min(self.decay, (1 + self.num_updates) / (10 + self.num_updates))

    def update(self):
        self.num_updates += 1
        d = self._current_decay()
        for name, p in self.module.named_parameters():
            self.shadow[name] = self.shadow[name] * d + p * (1.0 - d)  # <- culprit

    @torch.no_grad()
    def __call__(self, *inputs):
        return functional_call(self.module, self.shadow, inputs)
