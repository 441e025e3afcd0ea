import torch
import torch.nn.functional as F


def batch_hard(z, pid, margin):
    dist = torch.cdist(z, z)
    same = pid[:, None] == pid[None, :]
    far_pos = dist.masked_fill(~same, -1.0).amax(1)
    near_neg = dist.masked_fill(same, 9.0).amin(1)
    per_anchor = F.relu(far_pos - near_neg + margin)
    return per_anchor, (per_anchor > 0).float().mean().item()
