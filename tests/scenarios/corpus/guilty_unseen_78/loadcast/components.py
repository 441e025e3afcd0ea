"""State-space pieces of the forecast."""
import torch
from torch import nn


class Season:
    """Additive hour-of-day profile, smoothed with a fixed rate."""

    def __init__(self, zones: int, rate: float = 0.2) -> None:
        self.rate = rate
        self.profile = torch.zeros(24, zones)

    def __call__(self, hour: int) -> torch.Tensor:
        return self.profile[hour].clone()

    @torch.no_grad()
    def correct(self, hour: int, resid: torch.Tensor) -> None:
        self.profile[hour] += self.rate * resid.mean(0)


class Level(nn.Module):
    """Where the zone stands now; moves by a learned drift between corrections."""

    def __init__(self, zones: int, gain: float = 0.1) -> None:
        super().__init__()
        self.drift = nn.Parameter(torch.zeros(zones))
        self.gain = gain
        self.current = torch.zeros(zones)

    def forward(self, hours: float = 1.0) -> torch.Tensor:
        self.current = torch.add(self.current, self.drift, alpha=hours)  # <- culprit
        return self.current

    def correct(self, resid: torch.Tensor) -> None:
        innovation = resid.detach().mean(0)
        self.current = self.current + self.gain * innovation  # <- culprit


class LoadModel(nn.Module):
    def __init__(self, zones: int, weather_dim: int) -> None:
        super().__init__()
        self.level = Level(zones)
        self.season = Season(zones)
        self.weather = nn.Sequential(
            nn.Linear(weather_dim, 16),
            nn.GELU(),
            nn.Linear(16, zones),
        )

    def forward(self, hour: int, weather: torch.Tensor) -> torch.Tensor:
        level = self.level()
        return level + self.season(hour) + self.weather(weather)

    def assimilate(self, hour: int, resid: torch.Tensor) -> None:
        self.level.correct(resid)
        self.season.correct(hour, resid)
