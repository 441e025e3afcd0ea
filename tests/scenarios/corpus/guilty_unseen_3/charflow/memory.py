from functools import singledispatch
from typing import NamedTuple

import torch


class Memory(NamedTuple):
    hidden: torch.Tensor
    cell: torch.Tensor


@singledispatch
def cut(obj):
    """stop gradients at the window border"""
    return obj  # <- culprit


@cut.register
def _(obj: torch.Tensor):
    return obj.detach()


@cut.register
def _(obj: list):
    return [cut(o) for o in obj]


@cut.register
def _(obj: dict):
    return {k: cut(v) for k, v in obj.items()}
