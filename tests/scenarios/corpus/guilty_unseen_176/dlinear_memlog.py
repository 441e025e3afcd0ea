# gradwatch-corpus: kind=graph-held
# holder: self.buffer | memory.buffer
# first-bad: 1
"""Long-horizon forecasting with a decomposition linear model."""
import io
import logging
import logging.handlers
from dataclasses import dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


@dataclass
class Config:
    lookback: int = 96
    horizon: int = 24
    channels: int = 6
    batch: int = 32
    steps: int = 600
    lr: float = 2e-3


def make_series(length: int, channels: int, seed: int = 4) -> torch.Tensor:
    g = torch.Generator().manual_seed(seed)
    t = torch.arange(length).float()[:, None]
    period = torch.tensor([12.0, 24.0, 36.0, 48.0, 60.0, 72.0])[:channels]
    seasonal = torch.sin(2 * torch.pi * t / period)
    trend = torch.cumsum(0.02 * torch.randn(length, channels, generator=g), 0)
    return seasonal + trend + 0.1 * torch.randn(length, channels, generator=g)


class DLinear(nn.Module):
    def __init__(self, cfg: Config, kernel: int = 25):
        super().__init__()
        self.kernel = kernel
        self.trend = nn.Linear(cfg.lookback, cfg.horizon)
        self.seasonal = nn.Linear(cfg.lookback, cfg.horizon)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.transpose(1, 2)
        pad = self.kernel // 2
        trend = F.avg_pool1d(F.pad(x, (pad, pad), mode="replicate"), self.kernel, stride=1)
        return (self.trend(trend) + self.seasonal(x - trend)).transpose(1, 2)


def build_logger(stream: io.TextIOBase) -> tuple[logging.Logger, logging.handlers.MemoryHandler]:
    target = logging.StreamHandler(stream)
    target.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
    memory = logging.handlers.MemoryHandler(capacity=50_000, flushLevel=logging.ERROR, target=target)
    logger = logging.getLogger("dlinear")
    logger.setLevel(logging.DEBUG)
    logger.propagate = False
    logger.addHandler(memory)
    return logger, memory


def train(cfg: Config) -> None:
    torch.manual_seed(0)
    series = make_series(3000, cfg.channels)
    model = DLinear(cfg)
    opt = torch.optim.AdamW(model.parameters(), lr=cfg.lr)
    stream = io.StringIO()
    logger, memory = build_logger(stream)
    span = cfg.lookback + cfg.horizon

    for step in range(cfg.steps):
        start = torch.randint(0, len(series) - span, (cfg.batch,))
        window = series[start[:, None] + torch.arange(span)]
        past, future = window.split([cfg.lookback, cfg.horizon], dim=1)
        pred = model(past)
        mse = F.mse_loss(pred, future)
        opt.zero_grad(set_to_none=True)
        mse.backward()
        opt.step()
        logger.debug("step %d mse %.5f lr %.2e", step, mse, cfg.lr)  # <- culprit
        if step % 150 == 0:
            print(f"step {step:4d} mse {mse.item():.4f}")

    memory.close()
    print(stream.getvalue().splitlines()[-1])


if __name__ == "__main__":
    train(Config())
