# gradwatch-corpus: kind=memory-climb
# holder: self._cache | source._cache | windows._cache | cache | self._source._cache
# first-bad: 1
from __future__ import annotations

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from sources import WindowKey, WindowSource


@dataclass(frozen=True)
class RunSettings:
    symbols: tuple[str, ...] = ("AAA", "BBB", "CCC", "DDD", "EEE")
    steps: int = 400
    rows: int = 512
    lookback: int = 192
    hidden: int = 960
    lr: float = 5e-4
    seed: int = 17


class ReturnModel(nn.Module):
    def __init__(self, lookback: int, hidden: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.LayerNorm(lookback), nn.Linear(lookback, hidden), nn.GELU(),
            nn.Linear(hidden, hidden), nn.GELU(), nn.Linear(hidden, 2))

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        mean, log_scale = self.body(x).unbind(-1)
        return mean, log_scale.clamp(-5.0, 3.0)


class ForecastTrainer:
    def __init__(self, settings: RunSettings, source: WindowSource) -> None:
        self._settings = settings
        self._source = source
        self._model = ReturnModel(settings.lookback, settings.hidden)
        self._opt = torch.optim.AdamW(self._model.parameters(), lr=settings.lr)

    def _key(self, step: int) -> WindowKey:
        symbols = self._settings.symbols
        return WindowKey(symbols[step % len(symbols)], as_of=step // len(symbols))

    def _step(self, step: int) -> float:
        x, y = self._source.window(self._key(step)).tensors()
        mean, log_scale = self._model(x)
        loss = F.gaussian_nll_loss(mean, y, torch.exp(2 * log_scale))
        self._opt.zero_grad(set_to_none=True)
        loss.backward()
        self._opt.step()
        return loss.item()

    def run(self) -> None:
        smooth = None
        for step in range(self._settings.steps):
            value = self._step(step)
            smooth = value if smooth is None else 0.95 * smooth + 0.05 * value
            if step % 50 == 0:
                print(f"step {step:4d} nll {smooth:.4f} source {self._source.stats}")


def main() -> None:
    settings = RunSettings()
    torch.manual_seed(settings.seed)
    source = WindowSource(settings.rows, settings.lookback, settings.seed)
    ForecastTrainer(settings, source).run()


if __name__ == "__main__":
    main()
