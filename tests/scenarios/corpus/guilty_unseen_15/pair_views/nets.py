import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, dim_in, dim_out, width=32):
        super().__init__()
        self.fc1 = nn.Linear(dim_in, width)
        self.norm = nn.LayerNorm(width, elementwise_affine=False)
        self.fc2 = nn.Linear(width, dim_out)

    def forward(self, x):
        return self.fc2(F.gelu(self.norm(self.fc1(x))))


class Head(nn.Sequential):
    def __init__(self, dim, width=32):
        super().__init__(nn.Linear(dim, width), nn.GELU(), nn.Linear(width, dim))


def cosine_gap(p, z):
    return 2 - 2 * F.cosine_similarity(p, z, dim=-1).mean()
