# gradwatch-corpus: kind=second-backward
# holder: self.entries | bank.entries | e.code
# first-bad: 12
from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from memory import RingBank
from model import ScanCode, contrast


@dataclass
class RunConfig:
    beams: int = 120
    views: int = 16
    places: int = 30
    steps: int = 120
    negatives: int = 10
    capacity: int = 64
    warmup: int = 12
    lr: float = 1e-3
    seed: int = 55


class Town:
    def __init__(self, cfg: RunConfig) -> None:
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(cfg.seed)
        raw = torch.rand(cfg.places, cfg.beams, generator=self.gen)
        kernel = torch.ones(1, 1, 7) / 7
        self.maps = torch.nn.functional.conv1d(raw.unsqueeze(1), kernel, padding=3).squeeze(1)

    def visit(self) -> tuple[int, Tensor]:
        place = int(torch.randint(self.cfg.places, (1,), generator=self.gen))
        shifts = torch.randint(self.cfg.beams, (self.cfg.views,), generator=self.gen)
        scans = torch.stack([self.maps[place].roll(int(s)) for s in shifts])
        return place, scans + 0.03 * torch.randn(scans.shape, generator=self.gen)


def main() -> None:
    cfg = RunConfig()
    torch.manual_seed(cfg.seed)
    town = Town(cfg)
    net = ScanCode()
    bank = RingBank(cfg.capacity, cfg.warmup, cfg.seed)
    optim = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=0.9)

    for step in range(cfg.steps):
        place, scans = town.visit()
        codes = net(scans)
        if bank.ready:
            loss = contrast(codes, bank.draw(place, cfg.negatives))
        else:
            half = cfg.views // 2
            loss = (codes[:half] - codes[half:]).square().sum(dim=-1).mean()
        optim.zero_grad()
        loss.backward()
        optim.step()
        bank.add(place, codes)  # <- culprit
        if step % 10 == 0:
            print(f"visit {step:3d} place {place:2d} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
