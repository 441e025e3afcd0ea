from functools import partial

from .backbone import mlp
from .moco import MoCo


def build(dim, K):
    return MoCo(partial(mlp, 48, 128), dim=dim, K=K)
