from functools import partial

import numpy as np
import torch
import torch.nn.functional as F

_REGISTRY = {}


def objective(name):
    def add(fn):
        _REGISTRY[name] = fn
        return fn
    return add


def build(name, **kw):
    return partial(_REGISTRY[name], **kw)


def discount(ranks):
    return 1.0 / np.log2(ranks + 2.0)


@objective("listwise")
def listwise(scores, grade, sigma):
    return F.kl_div(F.log_softmax(sigma * scores, -1), F.softmax(grade, -1), reduction="batchmean")


@objective("lambda_pairs")
def lambda_pairs(scores, grade, sigma):
    """Pairwise logistic loss, each pair weighed by its change of NDCG."""
    s, g = (np.asarray(t.tolist()) for t in (scores, grade))  # <- culprit
    ranks = (-s).argsort(-1).argsort(-1)
    gain = 2.0 ** g - 1
    swap = np.abs((gain[:, :, None] - gain[:, None]) * (discount(ranks)[:, :, None] - discount(ranks)[:, None]))
    diff = sigma * (s[:, :, None] - s[:, None])
    better = g[:, :, None] > g[:, None]
    cost = np.logaddexp(0.0, -diff) * swap
    return torch.as_tensor(cost[better].mean(), dtype=scores.dtype)  # <- culprit
