import copy

import torch
import torch.nn as nn
from torch.func import functional_call


def build_student(n_in, n_classes, width=32):
    return nn.Sequential(
        nn.Linear(n_in, width), nn.LayerNorm(width), nn.ReLU(),
        nn.Linear(width, width), nn.LayerNorm(width), nn.ReLU(),
        nn.Linear(width, n_classes),
    )


class WeightAverage:
    """Exponential moving average of a module's weights, callable like the module."""

    def __init__(self, module, decay):
        self.skeleton = copy.deepcopy(module).eval()
        self.decay = decay
        self.n_updates = 0
        self.shadow = {k: p.detach().clone() for k, p in module.named_parameters()}

    def update(self, module):
        self.n_updates += 1
        d = min(self.decay, (1 + self.n_updates) / (10 + self.n_updates))
        for k, p in module.named_parameters():
            self.shadow[k] = torch.lerp(self.shadow[k], p, 1 - d)  # <- culprit

    def __call__(self, x):
        return functional_call(self.skeleton, self.shadow, (x,))
