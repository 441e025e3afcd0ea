# gradwatch-corpus: kind=graph-held
# holder: self._by_unit | calibrator._by_unit | self.calibrator._by_unit | trainer.calibrator._by_unit | self._by_unit[unit] | calibrator._by_unit[unit]
# first-bad: 1
"""Autoencoder on turbine sensor windows; per-unit thresholds from training errors."""
from dataclasses import dataclass
from typing import Dict
from typing import List

import torch
from torch import nn

BACKBONES = {}


def backbone(cls):
    BACKBONES[cls.__name__.lower()] = cls
    return cls


@dataclass
class PlantConfig:
    backbone: str = "convae"
    units: int = 5
    sensors: int = 6
    window: int = 32
    batch: int = 20
    steps: int = 130
    lr: float = 1e-3
    quantile: float = 0.95


@backbone
class ConvAE(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.down = nn.Sequential(
            nn.Conv1d(cfg.sensors, 16, 5, stride=2, padding=2),
            nn.GELU(),
            nn.Conv1d(16, 8, 5, stride=2, padding=2),
        )
        self.up = nn.Sequential(
            nn.ConvTranspose1d(8, 16, 4, stride=2, padding=1),
            nn.GELU(),
            nn.ConvTranspose1d(16, cfg.sensors, 4, stride=2, padding=1),
        )

    def forward(self, x):
        return self.up(self.down(x))


class SensorFleet:
    def __init__(self, cfg):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(41)
        self.rates = torch.rand(cfg.units, cfg.sensors, generator=self.gen) + 0.1

    def window(self):
        cfg = self.cfg
        unit = torch.randint(cfg.units, (cfg.batch,), generator=self.gen)
        t = torch.arange(cfg.window).float()
        phase = torch.rand(cfg.batch, 1, 1, generator=self.gen) * 3
        signal = torch.sin(self.rates[unit].unsqueeze(-1) * t + phase)
        signal = signal + 0.05 * torch.randn(signal.shape, generator=self.gen)
        return unit, signal


class ThresholdCalibrator:
    def __init__(self, units, quantile):
        self.quantile = quantile
        self._by_unit: Dict[int, List[torch.Tensor]] = {u: [] for u in range(units)}

    def feed(self, units, errors):
        for unit in units.unique().tolist():
            picked = errors[units == unit]
            self._by_unit[unit].append(picked)  # <- culprit

    def thresholds(self):
        result = {}
        with torch.no_grad():
            for unit, parts in self._by_unit.items():
                result[unit] = torch.cat(parts).quantile(self.quantile).item()
        return result


class ReconstructionTrainer:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = BACKBONES[cfg.backbone](cfg)
        self.fleet = SensorFleet(cfg)
        self.calibrator = ThresholdCalibrator(cfg.units, cfg.quantile)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)

    def step(self):
        unit, x = self.fleet.window()
        recon = self.model(x)
        errors = (recon - x).square().mean(dim=(1, 2))
        loss = errors.mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.calibrator.feed(unit, errors)  # <- culprit
        return loss.item()

    def fit(self):
        for step in range(self.cfg.steps):
            value = self.step()
            if step % 26 == 0:
                print(f"{step:4d} recon {value:.4f}")
        return self.calibrator.thresholds()


def main():
    torch.manual_seed(17)
    trainer = ReconstructionTrainer(PlantConfig())
    for unit, limit in trainer.fit().items():
        print(f"unit {unit}: threshold {limit:.4f}")


if __name__ == "__main__":
    main()
