import torch
from torch import nn
from torch.distributions import Categorical, Independent, MixtureSameFamily, Normal


class MixturePosterior(nn.Module):
    def __init__(self, n_days, n_theta=2, n_comp=4):
        super().__init__()
        self.n_theta = n_theta
        self.n_comp = n_comp
        self.summary = nn.Sequential(nn.Linear(n_days, 48), nn.Tanh(), nn.Linear(48, 24), nn.Tanh())
        self.head = nn.Linear(24, n_comp * (1 + 2 * n_theta))

    def forward(self, x):
        raw = self.head(self.summary(x - 2.0))
        logits, loc, log_scale = raw.split([self.n_comp, self.n_comp * self.n_theta, self.n_comp * self.n_theta], dim=1)
        shape = (-1, self.n_comp, self.n_theta)
        scale = log_scale.reshape(shape).clamp(-4, 2).exp()
        comp = Independent(Normal(loc.reshape(shape), scale), 1)
        return MixtureSameFamily(Categorical(logits=logits), comp)
