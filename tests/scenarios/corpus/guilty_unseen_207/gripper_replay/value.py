from torch import nn


class ValueNet(nn.Module):
    def __init__(self, d, h=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(d, h), nn.ELU(), nn.Linear(h, h), nn.ELU(), nn.Linear(h, 1))

    def forward(self, obs):
        return self.net(obs).squeeze(-1)
