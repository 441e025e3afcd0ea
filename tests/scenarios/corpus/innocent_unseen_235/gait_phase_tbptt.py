# gradwatch-corpus: kind=none
"""Gait phase estimation from shank gyros with a recurrent net over endless recordings."""
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class GaitConfig:
    subjects: int = 16
    window: int = 30
    span: int = 3
    windows: int = 150
    hidden: int = 40
    lr: float = 2e-3


@dataclass
class RecurrentState:
    h: Tensor
    c: Tensor

    @classmethod
    def zeros(cls, n: int, hidden: int) -> "RecurrentState":
        return cls(torch.zeros(n, hidden), torch.zeros(n, hidden))

    def cut(self) -> None:
        self.h = self.h.detach()
        self.c = self.c.detach()


class GyroStream:
    def __init__(self, cfg: GaitConfig, seed: int) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.phase = torch.rand(cfg.subjects, generator=self.gen)
        self.cadence = 0.8 + 0.4 * torch.rand(cfg.subjects, generator=self.gen)

    def read(self) -> tuple[Tensor, Tensor]:
        steps = torch.arange(1, self.cfg.window + 1) * 0.02
        phase = self.phase[:, None] + self.cadence[:, None] * steps
        self.phase = phase[:, -1] % 1.0
        angle = 2 * torch.pi * phase
        gyro = torch.stack([torch.sin(angle), torch.sin(2 * angle + 0.5)], dim=-1)
        gyro = gyro + 0.1 * torch.randn(gyro.shape, generator=self.gen)
        return gyro, torch.stack([angle.cos(), angle.sin()], dim=-1)


class PhaseNet(nn.Module):
    def __init__(self, hidden: int) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(2, hidden)
        self.out = nn.Linear(hidden, 2)

    def forward(self, gyro: Tensor, state: RecurrentState) -> Tensor:
        outs = []
        for t in range(gyro.shape[1]):
            state.h, state.c = self.cell(gyro[:, t], (state.h, state.c))
            outs.append(self.out(state.h))
        return torch.stack(outs, dim=1)


def train(cfg: GaitConfig) -> PhaseNet:
    torch.manual_seed(12)
    stream = GyroStream(cfg, seed=13)
    net = PhaseNet(cfg.hidden)
    optim = torch.optim.Adam(net.parameters(), lr=cfg.lr)
    state = RecurrentState.zeros(cfg.subjects, cfg.hidden)
    pending: list[Tensor] = []

    for k in range(cfg.windows):
        gyro, target = stream.read()
        pred = net(gyro, state)
        pending.append(nn.functional.mse_loss(pred, target))
        if len(pending) < cfg.span:
            continue
        loss = torch.stack(pending).mean()
        optim.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 1.0)
        optim.step()
        state.cut()
        pending.clear()
        if k % 30 == 29:
            print(f"window {k + 1:4d}  loss {loss.item():.4f}")
    return net


if __name__ == "__main__":
    train(GaitConfig())
