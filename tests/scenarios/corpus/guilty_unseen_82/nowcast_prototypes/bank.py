import torch
import torch.nn.functional as F
from torch import nn


class PrototypeBank(nn.Module):
    """Momentum prototypes of embeddings; assignment by cosine."""

    def __init__(self, n_proto, dim, momentum=0.9, tau=0.2):
        super().__init__()
        self.register_buffer("protos", F.normalize(torch.randn(n_proto, dim), dim=-1))
        self.momentum, self.tau = momentum, tau

    def logits(self, z):
        return z @ self.protos.t() / self.tau

    @torch.no_grad()
    def absorb(self, z):
        nearest = (z @ self.protos.t()).argmax(-1)
        sums = torch.zeros_like(self.protos).index_add_(0, nearest, z)
        hit = torch.bincount(nearest, minlength=len(self.protos)) > 0
        fresh = self.momentum * self.protos[hit] + (1 - self.momentum) * F.normalize(sums[hit], dim=-1)
        self.protos[hit] = F.normalize(fresh, dim=-1)  # <- culprit
        return nearest
