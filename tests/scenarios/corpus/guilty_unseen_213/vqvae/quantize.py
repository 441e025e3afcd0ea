import torch
import torch.nn.functional as F
from torch import nn


class Quantizer(nn.Module):
    """Nearest neighbour lookup with a straight-through estimator."""

    def __init__(self, n_codes, dim):
        super().__init__()
        self.n_codes = n_codes
        self.dim = dim
        self.register_buffer("codes", torch.randn(n_codes, dim) * 0.3)

    def update_codes(self, flat, onehot):
        pass

    def forward(self, z):
        b, d, h, w = z.shape
        flat = z.permute(0, 2, 3, 1).reshape(-1, d)
        dist = torch.cdist(flat.detach(), self.codes.detach())
        onehot = F.one_hot(dist.argmin(1), self.n_codes).type_as(flat)
        q = (onehot @ self.codes).view(b, h, w, d).permute(0, 3, 1, 2)
        commit = F.mse_loss(z, q)
        st = z + (q - z).detach()
        if self.training:
            self.update_codes(flat, onehot)
        p = onehot.mean(0)
        ppl = torch.exp(-(p * (p + 1e-10).log()).sum()).item()
        return st, commit, ppl


class EMAQuantizer(Quantizer):
    def __init__(self, n_codes, dim, decay=0.97, eps=1e-5):
        super().__init__(n_codes, dim)
        self.decay = decay
        self.eps = eps
        self.register_buffer("cluster_size", torch.ones(n_codes))
        self.register_buffer("cluster_sum", self.codes.clone())

    def update_codes(self, flat, onehot):
        self.cluster_size = self.decay * self.cluster_size + (1 - self.decay) * onehot.sum(0)
        self.cluster_sum = self.decay * self.cluster_sum + (1 - self.decay) * onehot.t() @ flat  # <- culprit
        n = self.cluster_size.sum()
        size = (self.cluster_size + self.eps) / (n + self.n_codes * self.eps) * n
        self.codes = self.cluster_sum / size[:, None]  # <- culprit
