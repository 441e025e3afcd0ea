import torch.nn.functional as F
from torch import nn


class DiceCE(nn.Module):
    def __init__(self, w=0.5):
        super().__init__()
        self.w = w

    def forward(self, logits, mask):
        ce = F.cross_entropy(logits, mask)
        p = logits.softmax(1)[:, 1]
        m = mask.float()
        dice = 1 - (2 * (p * m).sum() + 1) / (p.sum() + m.sum() + 1)
        return self.w * ce + (1 - self.w) * dice
