import torch
from torch import nn

from registry import register


@register("policy", "linear-gauss")
class LinearGauss(nn.Module):
    def __init__(self, n_obs):
        super().__init__()
        self.aim = nn.Linear(n_obs, 1)
        self.log_std = nn.Parameter(torch.tensor(-0.5))

    def forward(self, obs):
        return torch.distributions.Normal(self.aim(obs).squeeze(-1), self.log_std.exp())


@register("baseline", "moving")
class MovingBaseline:
    def __init__(self, rate):
        self.rate = rate
        self.value = torch.zeros(())

    def __call__(self, returns):
        self.value = self.value + self.rate * (returns.mean() - self.value)  # <- culprit
        return self.value


@register("baseline", "none")
class NoBaseline:
    def __call__(self, returns):
        return 0.0
