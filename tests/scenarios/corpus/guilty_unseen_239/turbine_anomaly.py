# gradwatch-corpus: kind=second-backward
# holder: self._carry | model._carry | self.model._carry | model._carry["encoder"] | self._carry["encoder"]
# first-bad: 1
from abc import ABC, abstractmethod
from typing import Dict, Optional

import torch
from torch import nn


class CarryMixin:
    """Gives a module named recurrent states which outlive a call."""

    def carry_init(self):
        self._carry: Dict[str, torch.Tensor] = {}

    def carry_get(self, name: str) -> Optional[torch.Tensor]:
        return self._carry.get(name)  # <- culprit

    def carry_set(self, name: str, value: torch.Tensor) -> None:
        self._carry[name] = value  # <- culprit

    def carry_reset(self):
        self._carry.clear()


class Detector(nn.Module, ABC):
    @abstractmethod
    def reconstruct(self, window: torch.Tensor) -> torch.Tensor:
        ...

    def forward(self, window):
        recon = self.reconstruct(window)
        return recon, (recon - window).square().mean(dim=-1)


class StreamingGRUDetector(CarryMixin, Detector):
    def __init__(self, channels: int, hidden: int):
        super().__init__()
        self.encoder = nn.GRU(channels, hidden, batch_first=True)
        self.decoder = nn.Sequential(nn.Linear(hidden, hidden // 2), nn.Tanh(), nn.Linear(hidden // 2, channels))
        self.carry_init()

    def reconstruct(self, window):
        out, state = self.encoder(window, self.carry_get("encoder"))
        self.carry_set("encoder", state)  # <- culprit
        return self.decoder(out)


def sensor_windows(n_windows, turbines=8, length=12, channels=5):
    phase = torch.rand(turbines, 1, channels) * 6.28
    freq = torch.rand(1, 1, channels) * 0.5 + 0.1
    for w in range(n_windows):
        t = torch.arange(w * length, (w + 1) * length).view(1, -1, 1)
        clean = torch.sin(freq * t + phase)
        yield clean + 0.05 * torch.randn_like(clean)


def fit(model: Detector, windows, lr: float):
    optimizer = torch.optim.RMSprop(model.parameters(), lr=lr)
    threshold = None
    flagged = 0
    for i, window in enumerate(windows):
        recon, score = model(window)
        loss = nn.functional.huber_loss(recon, window)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        peak = score.detach().max().item()
        threshold = peak if threshold is None else 0.95 * threshold + 0.05 * peak
        flagged += int(peak > 2 * threshold)
        if i % 20 == 0:
            print(f"window {i}: huber {loss.item():.4f} threshold {threshold:.3f}")
    return flagged


def main():
    torch.manual_seed(456)
    model = StreamingGRUDetector(channels=5, hidden=24)
    flagged = fit(model, sensor_windows(100), lr=2e-3)
    model.carry_reset()
    print(f"{flagged} windows flagged")


if __name__ == "__main__":
    main()
