import torch
from torch.nn import functional as F

LOSSES = {}


def register(fn):
    LOSSES[fn.__name__] = fn
    return fn


@register
def lambda_rank(scores, grades):
    diff = scores.unsqueeze(2) - scores.unsqueeze(1)
    gap = (grades.unsqueeze(2) - grades.unsqueeze(1)).float()
    order = scores.detach().argsort(dim=1, descending=True).argsort(dim=1)
    discount = 1.0 / torch.log2(order + 2.0)
    weight = (discount.unsqueeze(2) - discount.unsqueeze(1)).abs() * gap.clamp(min=0)
    return (weight * F.softplus(-diff)).sum(dim=(1, 2)).mean()


@register
def pointwise(scores, grades):
    return F.mse_loss(scores, grades.float())
