import torch
import torch.nn.functional as F


def soft_dice(logits, y):
    p = torch.sigmoid(logits)
    inter = (p * y).sum((1, 2, 3))
    return 1 - ((2 * inter + 1) / (p.sum((1, 2, 3)) + y.sum((1, 2, 3)) + 1)).mean()


def boundary(logits, y):
    p = torch.sigmoid(logits)
    dy = (y[..., 1:, :] - y[..., :-1, :]).abs()
    dp = (p[..., 1:, :] - p[..., :-1, :]).abs()
    return (dp - dy).abs().mean()


def training_loss(logits, y):
    return F.binary_cross_entropy_with_logits(logits, y) + soft_dice(logits, y)
