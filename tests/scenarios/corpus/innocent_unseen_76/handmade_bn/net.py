import torch
import torch.nn as nn


class RenormBN(nn.Module):
    """Batch renormalisation (Ioffe 2017) for flat features."""

    def __init__(self, n, momentum=0.05, r_max=2.0, d_max=3.0, eps=1e-5):
        super().__init__()
        self.gain = nn.Parameter(torch.ones(n))
        self.shift = nn.Parameter(torch.zeros(n))
        self.momentum, self.r_max, self.d_max, self.eps = momentum, r_max, d_max, eps
        self.run_mean = torch.zeros(n)
        self.run_std = torch.ones(n)

    def _blend(self, old, new):
        return (1 - self.momentum) * old + self.momentum * new

    def forward(self, x):
        if not self.training:
            return self.gain * (x - self.run_mean) / self.run_std + self.shift
        mean = x.mean(0)
        std = (x.var(0, unbiased=False) + self.eps).sqrt()
        m, s = mean.detach(), std.detach()
        r = (s / self.run_std).clamp(1 / self.r_max, self.r_max)
        d = ((m - self.run_mean) / self.run_std).clamp(-self.d_max, self.d_max)
        out = (x - mean) / std * r + d
        self.run_mean = self._blend(self.run_mean, m)
        self.run_std = self._blend(self.run_std, s)
        return self.gain * out + self.shift


class SpiralNet(nn.Module):
    def __init__(self, h=40):
        super().__init__()
        layers, d = [], 2
        for _ in range(3):
            layers += [nn.Linear(d, h, bias=False), RenormBN(h), nn.ReLU(inplace=True)]
            d = h
        self.net = nn.Sequential(*layers, nn.Linear(h, 2))

    def forward(self, x):
        return self.net(x)
