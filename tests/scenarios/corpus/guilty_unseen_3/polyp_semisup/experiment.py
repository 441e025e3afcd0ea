from dataclasses import dataclass

import torch
from torch import nn

from slow_weights import WeightTracker


@dataclass
class Settings:
    rounds: int = 200
    ramp_after: int = 30
    lr: float = 1e-3
    labelled: int = 4
    unlabelled: int = 8


class Experiment:
    def __init__(self, cfg, stream):
        self.cfg, self.stream = cfg, stream
        self.net = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 1, 3, padding=1))
        self.tracker = WeightTracker(self.net)
        self.opt = torch.optim.AdamW(self.net.parameters(), lr=cfg.lr)

    def consistency(self, x):
        if not self.tracker.ready:
            return x.new_zeros(())
        guess = torch.sigmoid(self.net(self.stream.jitter(x)))
        steady = torch.sigmoid(self.tracker(self.stream.jitter(x)))
        return (guess - steady).square().mean()

    def run(self):
        for rnd in range(self.cfg.rounds):
            if rnd >= self.cfg.ramp_after - 1:
                self.tracker.follow()
            x, m = self.stream.draw(self.cfg.labelled)
            u, _ = self.stream.draw(self.cfg.unlabelled)
            sup = nn.functional.binary_cross_entropy_with_logits(self.net(x)[:, 0], m)
            total = sup + 2.0 * self.consistency(u)
            self.opt.zero_grad()
            total.backward()
            self.opt.step()
            if rnd % 40 == 0:
                print(f"round {rnd:4d} supervised {sup.item():.4f} total {total.item():.4f}")

    @torch.no_grad()
    def score(self):
        x, m = self.stream.draw(32)
        return ((self.net(x)[:, 0] > 0).float() == m).float().mean().item()
