# gradwatch-corpus: kind=second-backward
# holder: tracker.best.carry | self.tracker.best.carry | self.best.carry | tracker.best | self.best | carry | self.carry | session.carry | self.tracker | carry.hidden | self.carry.hidden
# first-bad: 24
# also: graph-held
# after: dpressel/dliss-tutorial #1 "Detach the hidden states" (state taken up again with its graph)
"""Beat classification on a continuous Holter recording with a stateful GRU and warm restarts of the rate.

Within a cycle the hidden state is carried from strip to strip (truncated). At a warm restart the run goes
back to the best point of the last cycle: weights stay, the carried state is taken from the tracker.
"""
from dataclasses import dataclass

import torch
from torch import nn

from states import Carry, Phase, Tracker


@dataclass
class Config:
    cycle: int = 24
    cycles: int = 4
    strip: int = 30
    patients: int = 16
    hidden: int = 32
    lr: float = 5e-3


class BeatNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.gru = nn.GRU(3, cfg.hidden, batch_first=True)
        self.out = nn.Linear(cfg.hidden, 4)

    def forward(self, strip, hidden):
        y, hidden = self.gru(strip, hidden)
        return self.out(y), hidden


class Holter:
    def __init__(self, cfg):
        self.cfg, self.t = cfg, 0
        self.rate = 0.2 + 0.1 * torch.rand(cfg.patients, 1)

    def next_strip(self):
        t = torch.arange(self.t, self.t + self.cfg.strip).float()
        self.t += self.cfg.strip
        phase = self.rate * t
        leads = torch.stack([phase.sin(), phase.cos(), (2 * phase).sin()], dim=-1)
        label = ((phase % 6.2832) / 1.5709).long().clamp(0, 3)
        return leads + 0.1 * torch.randn_like(leads), label


class Session:
    def __init__(self, cfg):
        self.cfg = cfg
        self.model = BeatNet(cfg)
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=cfg.lr)
        self.schedule = torch.optim.lr_scheduler.CosineAnnealingWarmRestarts(self.optimizer, cfg.cycle)
        self.tracker = Tracker()
        self.carry = Carry.zeros(cfg.patients, cfg.hidden)
        self.phase = Phase.RUN

    def strip(self, leads, label):
        logits, hidden = self.model(leads, self.carry.hidden)
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), label.flatten())
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        self.schedule.step()
        after = self.carry.advance(hidden)
        self.tracker.offer(loss.item(), after)  # <- culprit
        self.carry = after.truncated()
        return loss.item()

    def restart(self):
        self.carry = self.tracker.best.carry  # <- culprit
        self.tracker.reset()
        self.phase = Phase.RUN

    def run(self, recording):
        for number in range(self.cfg.cycle * self.cfg.cycles):
            if self.phase is Phase.RESTART:
                self.restart()
            value = self.strip(*recording.next_strip())
            self.phase = Phase.after(number, self.cfg.cycle)
            if number % 8 == 0:
                print(f"strip {number:3d} age {self.carry.age:3d} loss {value:.3f}")


if __name__ == "__main__":
    torch.manual_seed(21)
    config = Config()
    Session(config).run(Holter(config))
