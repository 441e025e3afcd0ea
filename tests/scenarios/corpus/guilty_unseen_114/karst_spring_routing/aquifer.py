import torch
from torch import nn

from stores import Cascade


class SpringModel(nn.Module):
    """Learned recharge split in front of a fixed cascade of linear stores."""

    def __init__(self, n_features, n_springs):
        super().__init__()
        self.recharge = nn.Linear(n_features, 3)
        self.evap = nn.Parameter(torch.tensor(0.05))
        self.cascade = Cascade(n_springs)

    def forward(self, forcing):
        water = nn.functional.softplus(self.recharge(forcing))
        water = water - self.evap
        return self.cascade.route(water)
