from torch import nn


def mlp(a, w, b):
    return nn.Sequential(nn.Linear(a, w), nn.SiLU(), nn.Linear(w, w), nn.SiLU(), nn.Linear(w, b))


class Generator(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.net = mlp(cfg.noise, cfg.width, cfg.features)

    def forward(self, z):
        return self.net(z).sigmoid()


class Critic(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.net = mlp(cfg.features, cfg.width, 1)

    def forward(self, x):
        return self.net(x).squeeze(-1)
