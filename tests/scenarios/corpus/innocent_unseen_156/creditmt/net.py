import torch
import torch.nn.functional as F
from torch import nn


class RiskNet(nn.Module):
    def __init__(self, inputs, width=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.default = nn.Linear(width, 1)
        self.prepay = nn.Linear(width, 1)
        self.lgd = nn.Linear(width, 1)

    def forward(self, x):
        z = self.trunk(x)
        return self.default(z).squeeze(1), self.prepay(z).squeeze(1), torch.sigmoid(self.lgd(z)).squeeze(1)


def task_losses(net, x, default, prepay, lgd):
    d, p, l = net(x)
    return torch.stack([
        F.binary_cross_entropy_with_logits(d, default),
        F.binary_cross_entropy_with_logits(p, prepay),
        F.mse_loss(l, lgd),
    ])
