# gradwatch-corpus: kind=graph-chain
# holder: twin.cell | self.cell | twin.cell.v1 | twin.cell.temp | self.cell.v1 | self.cell.temp | state
# first-bad: 1
# notice: 5
# after: sgadgil6/cnslab_fmri #4 "Trying to backward through the graph a second time" ("if I use retain_graph=True, then OOM")
"""Identify a Thevenin cell (R0, R1||C1, lumped thermal) from windows of a drive cycle."""
from __future__ import annotations

import math
from dataclasses import dataclass, replace

import torch
from torch import Tensor, nn


@dataclass(frozen=True)
class CellState:
    soc: Tensor
    v1: Tensor
    temp: Tensor


@dataclass(frozen=True)
class Plan:
    windows: int = 80
    samples: int = 12
    dt: float = 1.0
    lr: float = 2e-2


class DigitalTwin(nn.Module):
    def __init__(self):
        super().__init__()
        self.log_r0 = nn.Parameter(torch.tensor(math.log(0.05)))
        self.log_r1 = nn.Parameter(torch.tensor(math.log(0.03)))
        self.log_c1 = nn.Parameter(torch.tensor(math.log(900.0)))
        self.log_h = nn.Parameter(torch.tensor(math.log(0.8)))
        self.cell = CellState(torch.tensor(0.95), torch.tensor(0.0), torch.tensor(25.0))

    @staticmethod
    def ocv(soc):
        return 3.2 + 0.9 * soc + 0.05 * torch.sin(6 * soc)

    def window(self, current: Tensor, dt: float) -> Tensor:
        r0, r1, c1, h = (p.exp() for p in (self.log_r0, self.log_r1, self.log_c1, self.log_h))
        a = torch.exp(-dt / (r1 * c1))
        state, volts = self.cell, []
        for i in current:
            soc = state.soc - i * dt / 7200
            v1 = a * state.v1 + r1 * (1 - a) * i
            temp = state.temp + dt / 40.0 * (i * i * r0 - h * (state.temp - 25.0) / 10)
            state = replace(state, soc=soc, v1=v1, temp=temp)
            volts.append(self.ocv(soc) - v1 - r0 * (1 + 0.002 * (25.0 - temp)) * i)
        self.cell = state  # <- culprit
        return torch.stack(volts)


def measured(plan: Plan):
    gen = torch.Generator().manual_seed(5)
    soc, v1 = 0.95, 0.0
    a = math.exp(-plan.dt / (0.02 * 1500))
    for _ in range(plan.windows):
        cur = torch.rand(plan.samples, generator=gen) * 4 - 1
        v = []
        for i in cur.tolist():
            soc -= i * plan.dt / 7200
            v1 = a * v1 + 0.02 * (1 - a) * i
            v.append(3.2 + 0.9 * soc + 0.05 * math.sin(6 * soc) - v1 - 0.035 * i)
        yield cur, torch.tensor(v)


def fit(plan: Plan):
    twin = DigitalTwin()
    opt = torch.optim.Adam(twin.parameters(), lr=plan.lr)
    for k, (cur, volt) in enumerate(measured(plan)):
        loss = (twin.window(cur, plan.dt) - volt).square().mean()
        opt.zero_grad(set_to_none=True)
        loss.backward(retain_graph=True)
        opt.step()
        if k % 20 == 0:
            print(k, f"{loss.item():.6f}", f"R0={twin.log_r0.exp().item():.4f}")


fit(Plan())
