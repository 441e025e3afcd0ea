# gradwatch-corpus: kind=graph-chain
# holder: self.level | filter.level | trend.level | forecaster.trend.level | self.trend.level
# first-bad: 1
"""One-step-ahead electricity load forecast: a Holt-style level and trend plus a small weather network.

Runs online, one reading of all substations per iteration, the way it does in the control room.
"""
import math

import torch
from torch import nn


class LocalTrend(nn.Module):
    """Level that moves by a learned slope and is pulled towards what was observed."""

    def __init__(self, n, gain=0.2):
        super().__init__()
        self.slope = nn.Parameter(torch.zeros(n))
        self.gain = gain
        self.level = torch.zeros(n)

    def predict(self):
        return self.level + self.slope

    def correct(self, predicted, innovation):
        with torch.no_grad():
            pull = self.gain * innovation
        self.level = predicted + pull  # <- culprit


class WeatherNet(nn.Module):
    def __init__(self, features, n):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features, 32), nn.SiLU(), nn.Linear(32, n))

    def forward(self, w):
        return self.net(w)


class Forecaster(nn.Module):
    def __init__(self, substations, features):
        super().__init__()
        self.trend = LocalTrend(substations)
        self.weather = WeatherNet(features, substations)

    def forward(self, weather, observed):
        base = self.trend.predict()
        forecast = base + self.weather(weather)
        self.trend.correct(base, observed - forecast)
        return forecast


class Readings:
    def __init__(self, substations, features, seed=40):
        self.g = torch.Generator().manual_seed(seed)
        self.mix = torch.randn(features, substations, generator=self.g) * 0.3
        self.growth = torch.rand(substations, generator=self.g) * 0.01
        self.features = features

    def __iter__(self):
        t = 0
        while True:
            w = torch.randn(self.features, generator=self.g)
            w[0] = math.sin(2 * math.pi * t / 24)
            w[1] = math.cos(2 * math.pi * t / 24)
            noise = 0.05 * torch.randn(self.growth.shape, generator=self.g)
            yield w, 1.0 + self.growth * t + torch.tanh(w @ self.mix) + noise
            t += 1


class SkillScore:
    """Error against the persistence forecast."""

    def __init__(self):
        self.model_err = self.naive_err = 0.0
        self.last = None

    def add(self, forecast, observed):
        if self.last is not None:
            self.model_err += (forecast - observed).abs().mean().item()
            self.naive_err += (self.last - observed).abs().mean().item()
        self.last = observed

    def flush(self):
        skill = 1 - self.model_err / max(self.naive_err, 1e-9)
        self.model_err = self.naive_err = 0.0
        return skill


def main(hours=480):
    torch.manual_seed(14)
    forecaster = Forecaster(substations=30, features=6)
    slow = torch.optim.SGD([forecaster.trend.slope], lr=1e-4)
    fast = torch.optim.Adam(forecaster.weather.parameters(), lr=3e-3)
    skill = SkillScore()
    for hour, (weather, observed) in zip(range(hours), Readings(30, 6)):
        forecast = forecaster(weather, observed)
        loss = nn.functional.smooth_l1_loss(forecast, observed)
        for opt in (slow, fast):
            opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_([forecaster.trend.slope], 1.0)
        for opt in (slow, fast):
            opt.step()
        skill.add(forecast.detach(), observed)
        if (hour + 1) % 96 == 0:
            print(f"hour {hour + 1}: loss {loss.item():.4f}  skill against persistence {skill.flush():+.3f}")


if __name__ == "__main__":
    main()
