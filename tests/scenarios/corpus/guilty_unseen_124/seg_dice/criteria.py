import numpy as np
import torch
import torch.nn.functional as F

_TABLE = {}


def criterion(fn):
    _TABLE[fn.__name__] = fn
    return fn


def make_criterion(name):
    return _TABLE[name]


@criterion
def bce(logit, mask):
    return F.binary_cross_entropy_with_logits(logit, mask)


def _overlap(p, m):
    inter = np.sum(p * m, axis=(1, 2, 3))
    return 2 * inter / (np.sum(p, axis=(1, 2, 3)) + np.sum(m, axis=(1, 2, 3)) + 1e-6)


@criterion
def hard_dice(logit, mask):
    p = logit.sigmoid().detach().cpu().numpy()  # <- culprit
    dice = torch.from_numpy(_overlap(p, mask.numpy()))  # <- culprit
    return 1.0 - dice.mean()
