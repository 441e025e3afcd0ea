from torch import nn
import torch.nn.functional as F


class Palate(nn.Module):
    def __init__(self, markers, dim):
        super().__init__()
        self.hidden = nn.Linear(markers, 48)
        self.out = nn.Linear(48, dim)

    def forward(self, x):
        return F.normalize(self.out(F.mish(self.hidden(x))), dim=-1)
