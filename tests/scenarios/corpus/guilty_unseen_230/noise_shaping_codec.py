# gradwatch-corpus: kind=graph-chain
# holder: self.carry | shaper.carry | codec.shaper.carry | self.shaper.carry
# first-bad: 1
"""Frame codec with a noise-shaping quantiser that feeds its error into the next frame."""
from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Iterable

import torch
from torch import Tensor, nn


@dataclass(slots=True)
class CodecConfig:
    frame: int = 256
    hidden: int = 96
    step: float = 0.125
    feedback: float = 0.5
    frames: int = 140
    lr: float = 2e-3


class PreEmphasis(torch.autograd.Function):
    """y = x * gain, with a per-bin gain."""

    @staticmethod
    def forward(ctx: Any, frame: Tensor, gain: Tensor) -> Tensor:
        ctx.frame = frame
        return frame * gain

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[None, Tensor]:
        return None, (grad * ctx.frame).sum(0)


class UniformQuantise(torch.autograd.Function):
    """Rounds to the grid; the gradient is damped outside the dead zone."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, step: float) -> Tensor:
        ctx.slope = 0.9
        return torch.round(x / step) * step

    @staticmethod
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, None]:
        return grad * ctx.slope, None


class NoiseShaper(nn.Module):
    def __init__(self, cfg: CodecConfig, channels: int) -> None:
        super().__init__()
        self.cfg = cfg
        self.log_gain = nn.Parameter(torch.ones(cfg.frame))
        self.register_buffer("carry", torch.zeros(channels, cfg.frame), persistent=False)

    def forward(self, frame: Tensor) -> Tensor:
        emphasised = PreEmphasis.apply(frame, self.log_gain)
        shaped = torch.add(emphasised, self.carry, alpha=self.cfg.feedback)
        coded = UniformQuantise.apply(shaped, self.cfg.step)
        self.carry = shaped - coded  # <- culprit
        return coded


class Codec(nn.Module):
    def __init__(self, cfg: CodecConfig, channels: int) -> None:
        super().__init__()
        self.shaper = NoiseShaper(cfg, channels)
        self.decoder = nn.Sequential(
            nn.Linear(cfg.frame, cfg.hidden),
            nn.Tanh(),
            nn.Linear(cfg.hidden, cfg.frame),
        )

    def forward(self, frame: Tensor) -> Tensor:
        coded = self.shaper(frame)
        return coded + self.decoder(coded)


def spectral_loss(estimate: Tensor, target: Tensor) -> Tensor:
    a = torch.fft.rfft(estimate).abs()
    b = torch.fft.rfft(target).abs()
    return (a - b).abs().mean() / math.sqrt(target.shape[-1])


def tone_stream(cfg: CodecConfig, channels: int) -> Iterable[Tensor]:
    t = torch.arange(cfg.frame) / 16_000
    for i in range(cfg.frames):
        f0 = 110 * 2 ** ((i % 24) / 12)
        harmonics = torch.stack([torch.sin(2 * math.pi * f0 * (k + 1) * t) for k in range(channels)])
        yield 0.6 * harmonics + 0.02 * torch.randn(channels, cfg.frame)


def main() -> None:
    torch.manual_seed(77)
    cfg = CodecConfig()
    codec = Codec(cfg, channels=4)
    optimiser = torch.optim.AdamW(codec.parameters(), lr=cfg.lr)
    for index, frame in enumerate(tone_stream(cfg, channels=4)):
        decoded = codec(frame)
        time_term = (decoded - frame).pow(2).mean()
        loss = time_term + 0.2 * spectral_loss(decoded, frame)
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(codec.parameters(), 5.0)
        optimiser.step()
        if index % 28 == 0:
            snr = 10 * math.log10(frame.pow(2).mean().item() / max(time_term.item(), 1e-9))
            print(f"frame {index:3d} loss {loss.item():.4f} snr {snr:.2f} dB")


if __name__ == "__main__":
    main()
