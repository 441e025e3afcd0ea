from torch import nn


class Generator(nn.Sequential):
    def __init__(self, z, n):
        super().__init__(nn.Linear(z, 32), nn.SiLU(), nn.Linear(32, n), nn.Softplus())


class Critic(nn.Sequential):
    def __init__(self, n):
        super().__init__(nn.Linear(n, 32), nn.SiLU(), nn.Linear(32, 32), nn.SiLU(), nn.Linear(32, 1))
