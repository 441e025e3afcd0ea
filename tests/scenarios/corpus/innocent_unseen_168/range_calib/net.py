from torch import nn


def build(inputs=24, width=384, outputs=4):
    return nn.Sequential(nn.Linear(inputs, width), nn.GELU(),
                         nn.Linear(width, width), nn.GELU(), nn.Linear(width, outputs))
