# gradwatch-corpus: kind=graph-chain
# holder: self.state | ident.state | self.state.soc | self.state.v_rc
# first-bad: 1
"""Online identification of a first order Thevenin cell model from a drive cycle."""
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class CellConfig:
    dt: float = 1.0
    n_cells: int = 24
    chunk: int = 20
    n_chunks: int = 90
    lr: float = 5e-3
    seed: int = 11


@dataclass
class CellState:
    soc: Tensor
    v_rc: Tensor


class DriveCycle:
    """Noisy current profile together with the terminal voltage of a hidden cell."""

    def __init__(self, cfg: CellConfig) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)
        self.soc = torch.full((cfg.n_cells,), 0.9)
        self.v_rc = torch.zeros(cfg.n_cells)
        self.cap = 3600.0 * (2.2 + 0.1 * torch.rand(cfg.n_cells, generator=self.gen))

    def next_chunk(self) -> tuple[Tensor, Tensor]:
        cfg = self.cfg
        current = torch.randn(cfg.chunk, cfg.n_cells, generator=self.gen) * 0.8 + 0.4
        volts = []
        for amp in current:
            self.soc = (self.soc - cfg.dt * amp / self.cap).clamp(0.02, 1.0)
            self.v_rc = 0.93 * self.v_rc + 0.07 * 0.03 * amp
            volts.append(3.0 + 1.1 * self.soc - self.v_rc - 0.05 * amp)
        v = torch.stack(volts)
        return current, v + 0.002 * torch.randn(v.shape, generator=self.gen)


class TheveninCell(nn.Module):
    def __init__(self, cfg: CellConfig) -> None:
        super().__init__()
        self.cfg = cfg
        self.log_cap = nn.Parameter(torch.full((cfg.n_cells,), 2.0).log())
        self.raw_decay = nn.Parameter(torch.full((cfg.n_cells,), 2.0))
        self.log_r0 = nn.Parameter(torch.full((cfg.n_cells,), 0.08).log())
        self.log_r1 = nn.Parameter(torch.full((cfg.n_cells,), 0.05).log())

    def initial_state(self) -> CellState:
        n = self.cfg.n_cells
        return CellState(soc=torch.full((n,), 0.9), v_rc=torch.zeros(n))

    def forward(self, current: Tensor, state: CellState) -> tuple[Tensor, CellState]:
        cap = 3600.0 * self.log_cap.exp()
        decay = torch.sigmoid(self.raw_decay)
        r0 = self.log_r0.exp()
        r1 = self.log_r1.exp()
        soc = state.soc
        v_rc = state.v_rc
        out = []
        for amp in current:
            soc = soc - self.cfg.dt * amp / cap
            v_rc = decay * v_rc + (1.0 - decay) * r1 * amp
            out.append(3.0 + 1.1 * soc - v_rc - r0 * amp)
        return torch.stack(out), CellState(soc=soc, v_rc=v_rc)  # <- culprit


class Identifier:
    def __init__(self, cfg: CellConfig) -> None:
        self.cfg = cfg
        self.cell = TheveninCell(cfg)
        self.optim = torch.optim.Adam(self.cell.parameters(), lr=cfg.lr)
        self.state = self.cell.initial_state()

    def update(self, current: Tensor, volts: Tensor) -> float:
        pred, new_state = self.cell(current, self.state)  # <- culprit
        loss = (pred - volts).square().mean() * 1e3
        self.optim.zero_grad()
        loss.backward(retain_graph=True)  # <- culprit
        self.optim.step()
        self.state = new_state  # <- culprit
        return loss.item()


def main() -> None:
    cfg = CellConfig()
    torch.manual_seed(cfg.seed)
    cycle = DriveCycle(cfg)
    ident = Identifier(cfg)
    for i in range(cfg.n_chunks):
        current, volts = cycle.next_chunk()
        loss = ident.update(current, volts)
        if i % 15 == 0:
            r0 = ident.cell.log_r0.exp().mean().item()
            print(f"chunk {i:3d}  mse {loss:8.4f} mV^2  r0 {1e3 * r0:6.2f} mOhm")


if __name__ == "__main__":
    main()
