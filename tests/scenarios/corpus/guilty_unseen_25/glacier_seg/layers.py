import torch
from torch import nn


class MyBatchNorm2d(nn.Module):
    """written out by hand to check the numbers against nn.BatchNorm2d"""

    def __init__(self, features, eps=1e-5, momentum=0.1):
        super().__init__()
        self.eps, self.momentum = eps, momentum
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.register_buffer("running_mean", torch.zeros(features))
        self.register_buffer("running_var", torch.ones(features))

    def forward(self, x):
        if self.training:
            mean = x.mean([0, 2, 3])
            var = x.var([0, 2, 3], unbiased=False)
            n = x.numel() / x.size(1)
            self.running_mean = self.momentum * mean + (1 - self.momentum) * self.running_mean  # <- culprit
            self.running_var = self.momentum * var * n / (n - 1) + (1 - self.momentum) * self.running_var  # <- culprit
        else:
            mean, var = self.running_mean, self.running_var
        x = (x - mean[None, :, None, None]) / torch.sqrt(var[None, :, None, None] + self.eps)
        return x * self.weight[None, :, None, None] + self.bias[None, :, None, None]


def conv_bn(i, o, stride=1):
    return nn.Sequential(nn.Conv2d(i, o, 3, stride=stride, padding=1, bias=False), MyBatchNorm2d(o), nn.ReLU())
