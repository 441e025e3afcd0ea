import torch
from torch import Tensor, nn


class Generator(nn.Module):
    def __init__(self, latent: int, radii: int) -> None:
        super().__init__()
        self.latent = latent
        self.net = nn.Sequential(nn.Linear(latent, 48), nn.ReLU(), nn.Linear(48, radii), nn.Softplus())

    def forward(self, z: Tensor) -> Tensor:
        return self.net(z)


class Critic(nn.Module):
    def __init__(self, radii: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(radii, 48), nn.Softplus(), nn.Linear(48, 24), nn.Softplus(), nn.Linear(24, 1))

    def forward(self, x: Tensor) -> Tensor:
        return self.net(x).squeeze(-1)


def profiles(n: int, radii: int) -> Tensor:
    r = torch.linspace(0.05, 3, radii)
    scale = 0.4 + torch.rand(n, 1)
    sersic = 0.7 + torch.rand(n, 1)
    return 2 * torch.exp(-((r / scale) ** sersic))
