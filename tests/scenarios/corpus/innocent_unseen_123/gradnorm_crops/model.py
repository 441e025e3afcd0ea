import torch
from torch import nn


class CropNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(10, 16)
        self.second = nn.Linear(16, 16)
        self.heads = nn.ModuleList(nn.Linear(16, 1) for _ in range(3))

    def shared(self):
        return self.second.weight

    def losses(self, x, truth):
        h = torch.relu(self.second(torch.relu(self.first(x))))
        out = torch.cat([head(h) for head in self.heads], 1)
        return (out - truth).square().mean(0)
