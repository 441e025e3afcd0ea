from dataclasses import dataclass

import torch
from torch import nn

from scorecard import Scorecard


@dataclass
class ExperimentConfig:
    stations: int = 36
    hidden: int = 64
    leads: int = 4
    batch: int = 16
    cycles: int = 130
    lr: float = 2e-3


class StepForecaster(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.increment = nn.Sequential(
            nn.Linear(config.stations, config.hidden),
            nn.ELU(),
            nn.Linear(config.hidden, config.stations),
        )

    def forward(self, state):
        return state + self.increment(state)


class ForecastExperiment:
    def __init__(self, config, atmosphere):
        self.config = config
        self.atmosphere = atmosphere
        self.forecaster = StepForecaster(config)
        self.scorecard = Scorecard()
        self.optimizer = torch.optim.RMSprop(self.forecaster.parameters(), lr=config.lr)

    def cycle(self):
        truth = self.atmosphere.sequence(self.config.batch, self.config.leads)
        state = truth[:, 0]
        forecasts = []
        for _ in range(self.config.leads):
            state = self.forecaster(state)
            forecasts.append(state)
        stacked = torch.stack(forecasts, dim=1)
        loss = nn.functional.mse_loss(stacked, truth[:, 1:])
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        for lead, forecast in enumerate(forecasts, start=1):
            self.scorecard.verify(lead, forecast, truth[:, lead])  # <- culprit
        return loss.item()

    def run(self):
        for index in range(self.config.cycles):
            loss = self.cycle()
            if index % 40 == 0:
                print(f"cycle {index:3d} mse {loss:.4f}")
