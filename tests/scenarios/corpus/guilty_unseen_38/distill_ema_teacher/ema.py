import torch
from torch.func import functional_call


class ShadowWeights:
    """Polyak average of a module's parameters, run through the module itself."""

    def __init__(self, module, decay=0.99):
        self.decay = decay
        self.module = module
        self.shadow = {n: p.detach().clone() for n, p in module.named_parameters()}

    def update(self, module):
        for name, p in module.named_parameters():
            self.shadow[name] = torch.lerp(self.shadow[name], p, 1.0 - self.decay)  # <- culprit

    def predict(self, x):
        return functional_call(self.module, self.shadow, (x,))
