import torch.nn.functional as F
from torch import nn


class MultiTaskNet(nn.Module):
    def __init__(self, n_feat, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(n_feat, width), nn.GELU(),
                                   nn.Linear(width, width), nn.LayerNorm(width), nn.GELU())
        self.heads = nn.ModuleDict({k: nn.Linear(width, 1) for k in ("yield", "moisture", "disease")})

    def forward(self, x):
        h = self.trunk(x)
        return {k: head(h).squeeze(1) for k, head in self.heads.items()}


def task_losses(out, targets):
    return {
        "yield": F.mse_loss(out["yield"], targets["yield"]),
        "moisture": F.smooth_l1_loss(out["moisture"], targets["moisture"]),
        "disease": F.binary_cross_entropy_with_logits(out["disease"], targets["disease"]),
    }
