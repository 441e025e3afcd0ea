import torch
from torch import nn


class DiceBCE(nn.Module):
    def __init__(self, dice_weight, eps=1.0):
        super().__init__()
        self.w, self.eps = dice_weight, eps
        self.bce = nn.BCEWithLogitsLoss()

    def forward(self, logits, mask):
        p = torch.sigmoid(logits)
        inter = (p * mask).sum((1, 2, 3))
        dice = (2 * inter + self.eps) / (p.sum((1, 2, 3)) + mask.sum((1, 2, 3)) + self.eps)
        dice = dice.mean()
        return self.w * (1 - dice) + (1 - self.w) * self.bce(logits, mask), dice.item()
