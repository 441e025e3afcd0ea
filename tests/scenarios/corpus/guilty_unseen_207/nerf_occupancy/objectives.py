from functools import partial

import torch
import torch.nn.functional as F


def occupancy(points):
    ring = (points.norm(dim=-1) - 0.5).abs() < 0.15
    bar = points[:, 0].abs() < 0.1
    return (ring | bar).float()


def fidelity(logits, target):
    return F.binary_cross_entropy_with_logits(logits, target)


def sparsity(logits, target, weight):
    return weight * torch.sigmoid(logits).mean()


OBJECTIVES = [fidelity, partial(sparsity, weight=0.02)]
