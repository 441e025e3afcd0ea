"""Stack of couplings over a standard normal base."""
import math

from torch import nn

from .coupling import AffineCoupling


class FlowChain(nn.Module):
    def __init__(self, dim: int, n_layers: int):
        super().__init__()
        self.dim = dim
        self.layers = nn.ModuleList(AffineCoupling(dim, flip=bool(i % 2)) for i in range(n_layers))

    def log_prob(self, x):
        total = 0.0
        for layer in self.layers:
            x, logdet = layer(x)
            total = total + logdet
        base = -0.5 * (x.pow(2).sum(-1) + self.dim * math.log(2 * math.pi))
        return base + total
