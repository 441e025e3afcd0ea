import torch
import torch.nn as nn
import torch.nn.functional as F


class CenteredConsistency(nn.Module):
    """Cross-entropy between sharpened/centred outputs of two views, plus an entropy regulariser."""

    def __init__(self, out_dim, temp_student=0.1, temp_teacher=0.04, center_momentum=0.9, ent_weight=0.5):
        super().__init__()
        self.ts = temp_student
        self.tt = temp_teacher
        self.m = center_momentum
        self.ent_weight = ent_weight
        self.register_buffer("center", torch.zeros(1, out_dim))

    def update_center(self, z):
        batch_center = z.mean(dim=0, keepdim=True)
        self.center = self.center * self.m + batch_center * (1 - self.m)  # <- culprit

    def forward(self, za, zb):
        pa = F.softmax((za - self.center) / self.tt, dim=-1)
        pb = F.softmax((zb - self.center) / self.tt, dim=-1)
        la = F.log_softmax(za / self.ts, dim=-1)
        lb = F.log_softmax(zb / self.ts, dim=-1)
        ce = -0.5 * ((pa * lb).sum(-1) + (pb * la).sum(-1)).mean()
        mean_p = 0.5 * (pa.mean(0) + pb.mean(0))
        entropy = -(mean_p * (mean_p + 1e-8).log()).sum()
        self.update_center(torch.cat([za, zb]))
        return ce - self.ent_weight * entropy
