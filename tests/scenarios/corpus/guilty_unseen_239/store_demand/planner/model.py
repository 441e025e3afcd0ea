import torch
from torch import nn

from planner.config import PlannerConfig


class LevelSeasonForecaster(nn.Module):
    """Exponential smoothing with learned gates and a regression on promotions."""

    def __init__(self, cfg: PlannerConfig):
        super().__init__()
        self.level_gate = nn.Parameter(torch.full((cfg.stores,), -1.0))
        self.trend_gate = nn.Parameter(torch.full((cfg.stores,), -2.0))
        self.season = nn.Parameter(torch.zeros(cfg.season))
        self.promo = nn.Linear(cfg.promo_features, 1)
        self.level = torch.ones(cfg.stores)
        self.trend = torch.zeros(cfg.stores)

    def forecast(self, day):
        effect = self.promo(day.promo).squeeze(-1)
        return self.level + self.trend + self.season[day.weekday] + effect

    def assimilate(self, day, predicted):
        surprise = day.sales - predicted
        alpha = torch.sigmoid(self.level_gate)
        beta = torch.sigmoid(self.trend_gate)
        self.level = self.level + self.trend + alpha * surprise  # <- culprit
        self.trend = 0.98 * self.trend + alpha * beta * surprise  # <- culprit
