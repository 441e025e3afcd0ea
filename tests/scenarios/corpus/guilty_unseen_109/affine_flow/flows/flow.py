import math

from torch import nn


class Flow(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.layers = nn.ModuleList(layers)

    def set_mode(self, mode):
        for layer in self.layers:
            if hasattr(layer, "mode"):
                layer.mode = mode

    def log_prob(self, x):
        logdet = 0.0
        for layer in self.layers:
            x, ld = layer(x)
            logdet = logdet + ld
        base = -0.5 * (x ** 2 + math.log(2 * math.pi)).sum(1)
        return base + logdet
