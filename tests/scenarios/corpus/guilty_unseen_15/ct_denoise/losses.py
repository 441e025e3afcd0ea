import torch.nn as nn
import torch.nn.functional as F

from quality import SliceRejected


class CompositeLoss(nn.Module):
    """L1 plus a gradient-difference term."""

    def __init__(self, hu_limit, edge_weight=0.3):
        super().__init__()
        self.hu_limit = hu_limit
        self.edge_weight = edge_weight

    @staticmethod
    def _edges(x):
        return x[..., 1:, :] - x[..., :-1, :], x[..., :, 1:] - x[..., :, :-1]

    def forward(self, denoised, full, case):
        residual = denoised - full
        peak = full.abs().amax().item()
        if peak > self.hu_limit:
            raise SliceRejected(case, f"peak {peak:.1f} over {self.hu_limit:.1f}, "
                                      f"residual {residual.abs().mean().item():.3f}")
        ey, ex = self._edges(residual)
        return F.smooth_l1_loss(denoised, full, beta=0.05) + self.edge_weight * (ey.abs().mean() + ex.abs().mean())
