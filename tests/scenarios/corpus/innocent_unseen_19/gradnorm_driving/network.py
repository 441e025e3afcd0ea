import torch
from torch import nn
from torch.nn import functional as F


class DrivingNet(nn.Module):
    def __init__(self, inputs, width):
        super().__init__()
        self.first = nn.Linear(inputs, width)
        self.last_shared = nn.Linear(width, width)
        self.heads = nn.ModuleList([nn.Linear(width, 1) for _ in range(3)])

    def losses(self, x, steer, throttle, hazard):
        z = torch.tanh(self.last_shared(torch.tanh(self.first(x))))
        s, t, h = (head(z).squeeze(1) for head in self.heads)
        return torch.stack([
            F.mse_loss(s, steer),
            F.smooth_l1_loss(t, throttle),
            F.binary_cross_entropy_with_logits(h, hazard),
        ])


def drives(seed, batch, inputs):
    g = torch.Generator().manual_seed(seed)
    w = torch.randn(inputs, 3, generator=g) / inputs ** 0.5
    while True:
        x = torch.randn(batch, inputs, generator=g)
        y = x @ w
        yield x, 10.0 * y[:, 0], y[:, 1], (y[:, 2] > 0.5).float()
