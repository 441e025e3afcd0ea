from __future__ import annotations

import logging
from itertools import cycle

import torch
from torch import Tensor

from wave import Medium, simulate

log = logging.getLogger(__name__)


class Inversion:
    def __init__(self, cells: int, source: Tensor, observed: dict[int, Tensor]) -> None:
        self.source = source
        self.observed = observed
        self.raw = torch.zeros(cells, requires_grad=True)
        self.opt = torch.optim.LBFGS([self.raw], lr=0.3, max_iter=2, history_size=5)
        self.best: tuple[float, Tensor] = (float("inf"), self.raw.detach().clone())

    def speed(self) -> Tensor:
        return 0.35 + 0.4 * torch.sigmoid(self.raw)

    def misfit(self, shot: int) -> Tensor:
        trace = simulate(Medium(self.speed()), self.source, shot)
        rough = self.speed().diff().pow(2).sum()
        return (trace - self.observed[shot]).pow(2).mean() + 1e-3 * rough

    def run(self, rounds: int) -> None:
        for r, shot in zip(range(rounds), cycle(self.observed)):

            def closure() -> Tensor:
                self.opt.zero_grad()
                loss = self.misfit(shot)
                loss.backward()
                return loss

            value = float(self.opt.step(closure))
            if value < self.best[0]:
                self.best = (value, self.speed().detach().clone())
            if r % 20 == 0:
                log.info("round %d shot %d misfit %.5f", r, shot, value)
        log.info("best %.5f fastest cell %d", self.best[0], int(self.best[1].argmax()))
