import torch
from torch import Tensor, nn

from config import RadarConfig


class FloorTracker(nn.Module):
    """Leaky estimate of the noise floor, with a learned bias per range gate."""

    def __init__(self, cfg: RadarConfig) -> None:
        super().__init__()
        self.leak = cfg.leak
        self.gate_bias = nn.Parameter(torch.zeros(cfg.n_range))
        self.floor: Tensor = torch.zeros(cfg.n_range)

    def forward(self, cells: Tensor) -> Tensor:
        profile = cells.amin(dim=2).mean(dim=0)
        self.floor = torch.lerp(self.floor, profile + self.gate_bias, 1.0 - self.leak)  # <- culprit
        return cells - self.floor[None, :, None]


class VelocityHead(nn.Module):
    def __init__(self, cfg: RadarConfig) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Flatten(),
            nn.Linear(cfg.n_range * cfg.n_doppler, cfg.hidden),
            nn.ReLU(),
            nn.Linear(cfg.hidden, 1),
        )

    def forward(self, cells: Tensor) -> Tensor:
        return self.net(cells).squeeze(-1)


class RadarNet(nn.Module):
    def __init__(self, cfg: RadarConfig) -> None:
        super().__init__()
        self.tracker = FloorTracker(cfg)
        self.head = VelocityHead(cfg)

    def forward(self, cells: Tensor) -> Tensor:
        return self.head(self.tracker(cells))
