# gradwatch-corpus: kind=graph-held
# holder: self.mean | self.m2 | calibrator.mean | calibrator.m2 | self.calibrator.mean | self.calibrator.m2 | detector.calibrator.mean | detector.calibrator.m2
# first-bad: 1
"""Reconstruction-based anomaly detection on single-lead ECG beats, with the alarm threshold calibrated on the fly."""
import math

import torch
from torch import nn

BEAT = 96


class BeatAutoencoder(nn.Module):
    def __init__(self, code=6):
        super().__init__()
        self.enc = nn.Sequential(
            nn.Conv1d(1, 8, 7, stride=2, padding=3), nn.ELU(),
            nn.Conv1d(8, 12, 5, stride=2, padding=2), nn.ELU(),
            nn.Flatten(), nn.Linear(12 * BEAT // 4, code),
        )
        self.dec = nn.Sequential(nn.Linear(code, 64), nn.ELU(), nn.Linear(64, BEAT))

    def forward(self, x):
        return self.dec(self.enc(x.unsqueeze(1)))


class ThresholdCalibrator:
    """Welford's online mean and variance of the log reconstruction error; alarm at mean + k sigma."""

    def __init__(self, k=3.0, warmup=20):
        self.k, self.warmup = k, warmup
        self.count = 0
        self.mean = torch.zeros(())
        self.m2 = torch.zeros(())

    def observe(self, errors):
        score = errors.clamp_min(1e-8).log().mean()  # <- culprit
        self.count += 1
        delta = score - self.mean
        self.mean = self.mean + delta / self.count  # <- culprit
        self.m2 = self.m2 + delta * (score - self.mean)  # <- culprit

    @property
    def threshold(self):
        if self.count < self.warmup:
            return float("inf")
        sigma = math.sqrt(self.m2.item() / (self.count - 1))
        return math.exp(self.mean.item() + self.k * sigma)


class AlarmCounter:
    def __init__(self):
        self.raised = self.checked = 0

    def add(self, errors, threshold):
        self.raised += int((errors.detach() > threshold).sum())
        self.checked += errors.numel()

    def rate(self):
        return self.raised / max(1, self.checked)


class BeatSource:
    def __init__(self, batch=24, seed=8):
        self.g = torch.Generator().manual_seed(seed)
        self.batch = batch
        self.t = torch.linspace(0, 1, BEAT)

    def _bump(self, centre, width, height):
        return height * torch.exp(-((self.t - centre) / width) ** 2)

    def next(self):
        jitter = 0.02 * torch.randn(self.batch, 1, generator=self.g)
        p = self._bump(0.25 + jitter, 0.05, 0.2)
        qrs = self._bump(0.45 + jitter, 0.02, 1.0) - self._bump(0.49 + jitter, 0.02, 0.3)
        tw = self._bump(0.7 + jitter, 0.07, 0.35)
        noise = 0.03 * torch.randn(self.batch, BEAT, generator=self.g)
        return p + qrs + tw + noise


class Detector:
    def __init__(self):
        self.model = BeatAutoencoder()
        self.calibrator = ThresholdCalibrator()
        self.alarms = AlarmCounter()
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=2e-3)

    def errors(self, beats):
        return (self.model(beats) - beats).pow(2).mean(dim=1)

    def fit_batch(self, beats):
        errors = self.errors(beats)
        self.calibrator.observe(errors)
        self.alarms.add(errors, self.calibrator.threshold)
        self.optimizer.zero_grad(set_to_none=True)
        errors.mean().backward()
        self.optimizer.step()
        return errors.mean().item()


def train(steps=350):
    torch.manual_seed(2)
    source, detector = BeatSource(), Detector()
    for i in range(1, steps + 1):
        mse = detector.fit_batch(source.next())
        if i % 70 == 0:
            print(f"{i:4d} mse={mse:.5f} threshold={detector.calibrator.threshold:.5f} "
                  f"alarm rate={detector.alarms.rate():.4f}")


if __name__ == "__main__":
    train()
