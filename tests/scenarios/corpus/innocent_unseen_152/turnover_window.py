# gradwatch-corpus: kind=none
"""Portfolio policy with a turnover penalty against its own last few allocations."""
from collections import deque
from dataclasses import dataclass

import torch
from torch import nn


@dataclass
class DeskConfig:
    assets: int = 8
    signals: int = 5
    window: int = 4
    days: int = 110
    lr: float = 0.02
    turnover_cost: float = 0.1


class AllocationPolicy(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.score = nn.Linear(cfg.signals, 1)
        self.tilt = nn.Parameter(torch.zeros(cfg.assets))

    def forward(self, signals):
        return torch.softmax(self.score(signals).squeeze(-1) + self.tilt, dim=-1)


class Desk:
    def __init__(self, cfg):
        self.cfg = cfg
        self.policy = AllocationPolicy(cfg)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), cfg.lr)
        self.recent = deque(maxlen=cfg.window)
        self.pnl = 0.0

    def turnover(self):
        """Differentiable through every allocation still in the window."""
        held = list(self.recent)
        moves = [(b - a).abs().sum() for a, b in zip(held, held[1:])]
        return torch.stack(moves).mean() if moves else torch.zeros(())

    def trade(self, signals, returns):
        weights = self.policy(signals)
        self.recent.append(weights)
        gain = (weights * returns).sum()
        loss = -gain + self.cfg.turnover_cost * self.turnover()
        self.optimizer.zero_grad()
        loss.backward(retain_graph=True)
        self.optimizer.step()
        self.pnl += gain.item()
        return loss.item()


class Tape:
    def __init__(self, cfg, seed=70):
        self.cfg = cfg
        self.gen = torch.Generator().manual_seed(seed)
        self.premium = torch.randn(cfg.signals, generator=self.gen) * 0.02

    def __iter__(self):
        for _ in range(self.cfg.days):
            signals = torch.randn(self.cfg.assets, self.cfg.signals, generator=self.gen)
            noise = 0.02 * torch.randn(self.cfg.assets, generator=self.gen)
            yield signals, signals @ self.premium + noise


def main():
    torch.manual_seed(70)
    torch.set_num_threads(1)
    cfg = DeskConfig()
    desk = Desk(cfg)
    for day, (signals, returns) in enumerate(Tape(cfg), 1):
        value = desk.trade(signals, returns)
        if day % 22 == 0:
            print(f"day {day:3d}  loss {value:+.4f}  pnl {desk.pnl:+.3f}  window {len(desk.recent)}")


if __name__ == "__main__":
    main()
