from collections import OrderedDict

from torch import nn


def build_tagger(d_in, classes, width=32):
    return nn.Sequential(
        OrderedDict(
            encoder=nn.Sequential(nn.Linear(d_in, width), nn.ReLU(), nn.Linear(width, width)),
            norm=nn.LayerNorm(width, elementwise_affine=False),
            act=nn.ReLU(),
            head=nn.Linear(width, classes),
        )
    )
