from dataclasses import dataclass

import torch


@dataclass
class SpanBatch:
    weather: torch.Tensor
    ampacity: torch.Tensor


class LineWeather:
    """Simplified steady-state heat balance of a conductor."""

    def __init__(self, n_spans, max_temperature=75.0):
        self.n = n_spans
        self.max_temperature = max_temperature

    def observe(self):
        ambient = 10 + 15 * torch.rand(self.n)
        wind = 0.5 + 6 * torch.rand(self.n)
        angle = torch.rand(self.n) * 1.5
        sun = 900 * torch.rand(self.n)
        attack = 1.194 - torch.cos(angle) + 0.194 * torch.cos(2 * angle) + 0.368 * torch.sin(2 * angle)
        cooling = 3.0 * wind.pow(0.52) * attack * (self.max_temperature - ambient)
        radiation = 0.3 * (self.max_temperature - ambient)
        heat = (cooling + radiation - 0.02 * sun).clamp(min=1.0)
        ampacity = (heat / 8e-5).sqrt() / 1000
        ampacity = ampacity * (1 + 0.02 * torch.randn(self.n))
        weather = torch.stack([ambient / 25, wind / 6, angle, sun / 900], dim=1)
        return SpanBatch(weather, ampacity)
