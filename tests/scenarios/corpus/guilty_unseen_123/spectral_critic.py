# gradwatch-corpus: kind=second-backward
# holder: self.u | critic[0].parametrizations.weight[0].u | norm.u | critic[2].parametrizations.weight[0].u
# first-bad: 1
# notice: 0
"""Optimal-transport critic between two dose distributions; Lipschitz by an own power-iteration parametrization."""
import torch
from torch import nn
from torch.nn.utils import parametrize

torch.set_num_threads(1)
torch.manual_seed(13)


class LargestSingular(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.u = nn.functional.normalize(torch.randn(weight.shape[0]), dim=0)

    def forward(self, w):
        v = nn.functional.normalize(w.t() @ self.u, dim=0)
        self.u = nn.functional.normalize(w @ v, dim=0)  # <- culprit
        sigma = self.u @ (w @ v)
        return w / sigma.clamp(min=1e-3)


def lipschitz(layer):
    parametrize.register_parametrization(layer, "weight", LargestSingular(layer.weight))
    return layer


def doses(n):
    planned = torch.randn(n, 4) * torch.tensor([1.0, 0.5, 0.5, 2.0])
    given = planned.roll(1, 0) + torch.tensor([0.3, 0.0, -0.2, 0.1])
    return planned, given


critic = nn.Sequential(lipschitz(nn.Linear(4, 16)), nn.LeakyReLU(0.3), lipschitz(nn.Linear(16, 1)))
opt = torch.optim.Adam(critic.parameters(), lr=2e-3)
for k in range(400):
    planned, given = doses(32)
    gap = critic(given).mean() - critic(planned).mean()
    opt.zero_grad()
    gap.neg().backward()
    opt.step()
    if k % 100 == 99:
        print(k + 1, gap.item())
