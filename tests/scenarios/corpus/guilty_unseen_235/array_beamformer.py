# gradwatch-corpus: kind=second-backward
# holder: self._steering | self._steering[key] | model._steering
# first-bad: 5
"""Direction finding with a microphone array whose element positions are calibrated along the way."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Iterator

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class ArrayConfig:
    mics: int = 8
    spacing: float = 0.04
    grid: int = 72
    snapshots: int = 16
    batch: int = 24
    steps: int = 120
    sound_speed: float = 343.0
    lr: float = 3e-3


@dataclass(frozen=True)
class Snapshot:
    freq: int
    data: Tensor
    doa: Tensor


class Beamformer(nn.Module):
    def __init__(self, cfg: ArrayConfig) -> None:
        super().__init__()
        self.cfg = cfg
        nominal = (torch.arange(cfg.mics) - (cfg.mics - 1) / 2) * cfg.spacing
        self.positions = nn.Parameter(nominal.clone())
        self.log_temp = nn.Parameter(torch.tensor(1.0))
        angles = torch.linspace(-math.pi / 2, math.pi / 2, cfg.grid)
        self.register_buffer("sines", torch.sin(angles))
        self._steering: dict[int, Tensor] = {}

    def steering(self, freq: int) -> Tensor:
        key = freq
        if key not in self._steering:
            wave_number = 2 * math.pi * freq / self.cfg.sound_speed
            phase = wave_number * self.positions[:, None] * self.sines[None, :]
            self._steering[key] = torch.polar(torch.ones_like(phase), phase)  # <- culprit
        return self._steering[key]  # <- culprit

    def forward(self, data: Tensor, freq: int) -> Tensor:
        vectors = self.steering(freq)
        beams = torch.einsum("ma,bms->bas", vectors.conj(), data) / self.cfg.mics
        power = beams.abs().square().mean(dim=-1)
        return self.log_temp.exp() * power


def source(cfg: ArrayConfig, gen: torch.Generator) -> Iterator[Snapshot]:
    true_pos = (torch.arange(cfg.mics) - (cfg.mics - 1) / 2) * cfg.spacing
    true_pos = true_pos + 0.004 * torch.randn(cfg.mics, generator=gen)
    sines = torch.sin(torch.linspace(-math.pi / 2, math.pi / 2, cfg.grid))
    freqs = [1200, 1600, 2000, 2400, 2800]
    for step in range(cfg.steps):
        freq = freqs[step % len(freqs)]
        doa = torch.randint(4, cfg.grid - 4, (cfg.batch,), generator=gen)
        phase = 2 * math.pi * freq / cfg.sound_speed * true_pos[None] * sines[doa][:, None]
        steer = torch.polar(torch.ones_like(phase), phase)
        amp = torch.randn(cfg.batch, 1, cfg.snapshots, generator=gen) + 0j
        noise = 0.1 * torch.randn(cfg.batch, cfg.mics, cfg.snapshots, generator=gen)
        yield Snapshot(freq, steer[:, :, None] * amp + noise, doa)


def calibrate(cfg: ArrayConfig) -> Beamformer:
    torch.manual_seed(31)
    gen = torch.Generator().manual_seed(32)
    model = Beamformer(cfg)
    optim = torch.optim.Adam(
        [
            {"params": [model.positions], "lr": cfg.lr * 0.02},
            {"params": [model.log_temp], "lr": cfg.lr},
        ]
    )
    for step, snap in enumerate(source(cfg, gen)):
        logits = model(snap.data, snap.freq)
        loss = nn.functional.cross_entropy(logits, snap.doa)
        optim.zero_grad()
        loss.backward()
        optim.step()
        if step % 20 == 0:
            hit = (logits.argmax(dim=1) - snap.doa).abs().le(1).float().mean().item()
            print(f"{step:3d} f={snap.freq} Hz  ce {loss.item():.3f}  hit {hit:.2f}")
    return model


if __name__ == "__main__":
    fitted = calibrate(ArrayConfig())
    print([round(1e3 * p, 2) for p in fitted.positions.tolist()])
