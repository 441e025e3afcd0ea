import torch
from torch import nn


class RunningMoments(nn.Module):
    """Exponential moving mean and covariance for small batches."""

    def __init__(self, dim, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("mean", torch.zeros(dim))
        self.register_buffer("cov", torch.eye(dim))

    def forward(self, z):
        if not self.training:
            return self.mean, self.cov
        m = self.momentum
        mean = m * self.mean + (1 - m) * z.mean(0)
        zc = z - mean
        cov = m * self.cov + (1 - m) * (zc.t() @ zc) / max(1, len(z) - 1)
        self.mean = mean  # <- culprit
        self.cov = cov  # <- culprit
        return mean, cov


class DecorrelationLoss(nn.Module):
    def __init__(self, dim, gamma=1.0, w_inv=5.0, w_var=5.0, w_cov=1.0):
        super().__init__()
        self.moments = nn.ModuleDict({"a": RunningMoments(dim), "b": RunningMoments(dim)})
        self.gamma = gamma
        self.weights = (w_inv, w_var, w_cov)

    def spread(self, z, view):
        _, cov = self.moments[view](z)
        std = torch.sqrt(torch.diagonal(cov) + 1e-4)
        off = cov - torch.diag(torch.diagonal(cov))
        return torch.relu(self.gamma - std).mean(), off.pow(2).sum() / len(cov)

    def forward(self, za, zb):
        inv = (za - zb).pow(2).mean()
        (va, ca), (vb, cb) = self.spread(za, "a"), self.spread(zb, "b")
        wi, wv, wc = self.weights
        total = wi * inv + wv * (va + vb) + wc * (ca + cb)
        return total, {"inv": inv.item(), "var": (va + vb).item(), "cov": (ca + cb).item()}
