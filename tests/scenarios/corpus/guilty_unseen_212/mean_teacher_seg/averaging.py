import torch
from torch import nn
from torch.func import functional_call


class WeightAverage:
    """Exponential average of a module's weights, callable like the module."""

    def __init__(self, module: nn.Module, decay: float):
        self.module = module
        self.decay = decay
        self.shadow = {k: v.detach().clone() for k, v in module.named_parameters()}

    def _rate(self, step):
        return min(self.decay, (1 + step) / (10 + step))

    def _blend(self, old, new, rate):
        return torch.lerp(new, old, rate)  # <- culprit

    def update(self, step):
        rate = self._rate(step)
        for name, p in self.module.named_parameters():  # <- culprit
            self.shadow[name] = self._blend(self.shadow[name], p, rate)  # <- culprit

    def __call__(self, x):
        return functional_call(self.module, self.shadow, (x,))
