import torch
from torch import nn


class MeltModel(nn.Module):
    def __init__(self):
        super().__init__()
        self.accumulation = nn.Parameter(torch.tensor(1.0))
        self.degree_day = nn.Parameter(torch.tensor(0.1))
        self.threshold = nn.Parameter(torch.tensor(0.0))

    def forward(self, temp, snow):
        gain = self.accumulation * snow
        melt = self.degree_day * nn.functional.softplus(temp - self.threshold, beta=4)
        return (gain - melt).sum(1)
