import torch
from torch import nn


def block(i, o, k):
    return [nn.Conv1d(i, o, k, stride=2, padding=k // 2), nn.GroupNorm(4, o), nn.SiLU()]


class ViewNet(nn.Sequential):
    """Classifies a heart cycle phase from one row of M-mode ultrasound."""

    def __init__(self, phases=5):
        super().__init__(*block(1, 8, 7), *block(8, 16, 5), nn.AdaptiveAvgPool1d(6), nn.Flatten(), nn.Linear(96, phases))


class Rows:
    def __init__(self, seed, phases=5, n=128):
        self.g, self.phases, self.n = torch.Generator().manual_seed(seed), phases, n

    def _wave(self, label):
        t = torch.linspace(0, 1, self.n)
        f = 3 + 2 * label[:, None].float()
        return torch.sin(6.2832 * (f * t + torch.rand(len(label), 1, generator=self.g)))[:, None]

    def labelled(self, k):
        y = torch.randint(self.phases, (k,), generator=self.g)
        return self.jitter(self._wave(y), 0.4), y

    def bare(self, k):
        y = torch.randint(self.phases, (k,), generator=self.g)
        return self._wave(y)

    def jitter(self, x, amount):
        return x * (1 + 0.1 * torch.randn(len(x), 1, 1, generator=self.g)) + amount * torch.randn(x.shape, generator=self.g)
