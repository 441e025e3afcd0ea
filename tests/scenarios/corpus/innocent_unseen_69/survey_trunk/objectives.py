import torch
from torch import nn
from torch.nn import functional as F


class Balanced(nn.Module):
    """Divides a loss by the running mean of its own size, so that no task drowns the others."""

    def __init__(self, width, outputs, loss_fn, momentum=0.9):
        super().__init__()
        self.out = nn.Linear(width, outputs)
        self.loss_fn = loss_fn
        self.momentum = momentum
        self.register_buffer("size", torch.ones(()))

    def forward(self, feats, answer):
        pred = self.out(feats)
        if pred.shape[-1] == 1:
            pred = pred.squeeze(-1)
        raw = self.loss_fn(pred, answer)
        self.size = self.momentum * self.size + (1 - self.momentum) * raw.detach()
        return raw / self.size.clamp_min(1e-3)


def make_objectives(width):
    return nn.ModuleDict({
        "income": Balanced(width, 1, F.mse_loss),
        "owner": Balanced(width, 1, F.binary_cross_entropy_with_logits),
        "region": Balanced(width, 4, F.cross_entropy),
    })
