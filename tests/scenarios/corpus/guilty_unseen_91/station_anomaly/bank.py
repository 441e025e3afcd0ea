import torch
from torch import nn


class CenterBank(nn.Module):
    """Slow-moving centre per regime."""

    def __init__(self, n_regimes, dim, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.register_buffer("centers", torch.zeros(n_regimes, dim))

    def _batch_means(self, z, regime):
        onehot = nn.functional.one_hot(regime, self.centers.shape[0]).to(z.dtype)
        count = onehot.sum(0).clamp(min=1.0)
        means = onehot.t() @ z / count[:, None]
        present = (onehot.sum(0) > 0)[:, None]
        return means, present

    def absorb(self, z, regime):
        means, present = self._batch_means(z, regime)  # <- culprit
        moved = self.momentum * self.centers + (1 - self.momentum) * means  # <- culprit
        self.centers = torch.where(present, moved, self.centers)  # <- culprit
