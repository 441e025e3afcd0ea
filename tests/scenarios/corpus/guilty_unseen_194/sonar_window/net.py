import torch
from torch import nn


class EchoNet(nn.Module):
    def __init__(self, beams=16):
        super().__init__()
        self.conv1 = nn.Conv1d(1, 8, 7, padding=3)
        self.conv2 = nn.Conv1d(8, 8, 5, padding=2)
        self.head = nn.Conv1d(8, 1, 1)
        self.gain = nn.Parameter(torch.ones(beams))

    def forward(self, trace):
        b, beams, n = trace.shape
        x = (trace * self.gain[:, None]).reshape(b * beams, 1, n)
        x = torch.relu(self.conv1(x))
        x = torch.relu(self.conv2(x)) + x
        return self.head(x).reshape(b, beams, n)


def ping(batch, beams=16, n=64, generator=None):
    where = torch.randint(8, n - 8, (batch, beams, 1), generator=generator)
    axis = torch.arange(n).view(1, 1, n)
    target = torch.exp(-0.5 * ((axis - where) / 2.0) ** 2)
    noise = 0.3 * torch.randn(batch, beams, n, generator=generator)
    return target + noise, target
