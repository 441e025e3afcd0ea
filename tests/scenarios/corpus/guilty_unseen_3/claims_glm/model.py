import torch
from torch import nn

from guard import ClaimOutlier


def policies(b, n=1000):
    g = torch.Generator().manual_seed(b)
    x = torch.randn(n, 10, generator=g)
    paid = (0.4 * x[:, 0] - 0.3 * x[:, 1]).exp() * (0.5 + torch.rand(n, generator=g))
    if b % 9 == 4:
        paid[0] *= 40
    return x, paid


class SeverityNet(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(d, 24), nn.GELU())
        self.rate = nn.Linear(24, 1)
        self.form = nn.Parameter(torch.zeros(()))

    def forward(self, x):
        return self.rate(self.body(x)).squeeze(1).clamp(-4, 4).exp(), self.form.exp()

    def check(self, mean, paid):
        ratio = paid / mean
        if ratio.max() > 15:
            raise ClaimOutlier(f"paid/expected {ratio.max().item():.1f}")

    def deviance(self, mean, shape, paid):
        return (shape * (mean.log() + paid / mean) - shape * shape.log() + torch.lgamma(shape) - (shape - 1) * paid.log()).mean()
