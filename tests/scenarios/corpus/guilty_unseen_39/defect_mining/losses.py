import torch
import torch.nn as nn
import torch.nn.functional as F


class HardMiningLoss(nn.Module):
    """Binary loss over the hard patches only.

    A patch is hard when its loss reaches into the bank of the largest losses seen lately.
    """

    def __init__(self, size=64, fade=0.93, floor=0.2):
        super().__init__()
        self.size = size
        self.fade = fade
        self.floor = floor
        self.bank = torch.zeros(0)
        self.last_used = 1.0

    def refresh(self, per_patch):
        merged = torch.cat([self.bank * self.fade, per_patch])  # <- culprit
        k = min(self.size, merged.numel())
        self.bank = merged.topk(k).values  # <- culprit

    def forward(self, logits, target):
        per_patch = F.binary_cross_entropy_with_logits(logits, target, reduction="none")
        self.refresh(per_patch)  # <- culprit
        hard = (per_patch >= self.bank.min()).float()
        weight = hard + self.floor * (1 - hard)
        self.last_used = hard.mean().item()
        return (weight * per_patch).sum() / weight.sum()
