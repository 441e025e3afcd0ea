import torch
import torch.nn as nn
import torch.nn.functional as F


class ContrastiveLoss(nn.Module):
    """label 0: same writer, label 1: forged"""

    def __init__(self, margin=2.0):
        super().__init__()
        self.margin = margin

    def forward(self, output1, output2, label):
        dist = F.pairwise_distance(output1, output2)
        pos = (1 - label) * torch.pow(dist, 2)
        neg = label * torch.pow(torch.clamp(self.margin - dist, min=0.0), 2)
        return torch.mean(pos + neg)
