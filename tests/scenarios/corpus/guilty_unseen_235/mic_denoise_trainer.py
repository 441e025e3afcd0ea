# gradwatch-corpus: kind=graph-held
# holder: self.curves[name] | self.curves | history.curves
# first-bad: 1
"""Mask based speech denoiser, trained with a little callback driven trainer."""
from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Mapping, Protocol, Sequence

import torch
from torch import Tensor, nn


@dataclass
class TrainConfig:
    n_fft: int = 256
    hop: int = 64
    seconds: float = 0.25
    rate: int = 8000
    batch: int = 8
    steps: int = 120
    lr: float = 1e-3


class Callback(Protocol):
    def on_step_end(self, step: int, logs: Mapping[str, Tensor]) -> None: ...

    def on_train_end(self) -> None: ...


class History:
    def __init__(self) -> None:
        self.curves: dict[str, list[Tensor]] = defaultdict(list)

    def on_step_end(self, step: int, logs: Mapping[str, Tensor]) -> None:
        for name, value in logs.items():
            self.curves[name].append(value)  # <- culprit

    def on_train_end(self) -> None:
        for name, values in self.curves.items():
            tail = torch.stack(values[-20:]).mean().item()
            print(f"{name:>10s}: {tail:.4f}")


class Progress:
    def __init__(self, every: int) -> None:
        self.every = every

    def on_step_end(self, step: int, logs: Mapping[str, Tensor]) -> None:
        if step % self.every == 0:
            text = "  ".join(f"{k}={v.item():.4f}" for k, v in logs.items())
            print(f"{step:4d} {text}")

    def on_train_end(self) -> None:
        print("done")


class MaskNet(nn.Module):
    def __init__(self, bins: int, width: int = 96) -> None:
        super().__init__()
        self.conv = nn.Conv1d(bins, width, 3, padding=1)
        self.gru = nn.GRU(width, width, batch_first=True)
        self.out = nn.Linear(width, bins)

    def forward(self, mag: Tensor) -> Tensor:
        h = torch.relu(self.conv(mag)).transpose(1, 2)
        h, _ = self.gru(h)
        return torch.sigmoid(self.out(h)).transpose(1, 2)


class Trainer:
    def __init__(self, cfg: TrainConfig, model: MaskNet, callbacks: Sequence[Callback]) -> None:
        self.cfg = cfg
        self.model = model
        self.callbacks = callbacks
        self.window = torch.hann_window(cfg.n_fft)
        self.optim = torch.optim.Adam(model.parameters(), lr=cfg.lr)

    def spectrum(self, wave: Tensor) -> Tensor:
        spec = torch.stft(wave, self.cfg.n_fft, self.cfg.hop, window=self.window, return_complex=True)
        return spec.abs()

    def batch(self) -> tuple[Tensor, Tensor]:
        n = int(self.cfg.seconds * self.cfg.rate)
        t = torch.arange(n) / self.cfg.rate
        f0 = 100 + 300 * torch.rand(self.cfg.batch, 1)
        clean = sum(torch.sin(2 * torch.pi * k * f0 * t) / k for k in range(1, 5))
        return clean, clean + 0.5 * torch.randn_like(clean)

    def step(self) -> dict[str, Tensor]:
        clean, noisy = self.batch()
        mag = self.spectrum(noisy)
        target = self.spectrum(clean)
        est = self.model(mag.log1p()) * mag
        l1 = (est - target).abs().mean()
        log_dist = (est.log1p() - target.log1p()).square().mean()
        loss = l1 + 2.0 * log_dist
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        return {"loss": loss, "l1": l1, "log_dist": log_dist}  # <- culprit

    def fit(self) -> None:
        for i in range(self.cfg.steps):
            logs = self.step()
            for cb in self.callbacks:
                cb.on_step_end(i, logs)
        for cb in self.callbacks:
            cb.on_train_end()


if __name__ == "__main__":
    torch.manual_seed(17)
    config = TrainConfig()
    history = History()
    trainer = Trainer(config, MaskNet(config.n_fft // 2 + 1), [Progress(30), history])
    trainer.fit()
