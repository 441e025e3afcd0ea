import copy
from dataclasses import dataclass
from dataclasses import field

import torch


@dataclass
class Tally:
    pinball: torch.Tensor = field(default_factory=lambda: torch.zeros(()))
    disagreement: torch.Tensor = field(default_factory=lambda: torch.zeros(()))
    n: int = 0


def pinball(predicted, target, levels):
    gap = target.unsqueeze(-1) - predicted
    return torch.maximum(levels * gap, (levels - 1) * gap).mean()


class EnsembleFit:
    def __init__(self, ensemble, micro, lr, report_every=20):
        self.ensemble = ensemble
        self.shadow = copy.deepcopy(ensemble).requires_grad_(False)
        self.micro = micro
        self.levels = torch.tensor([0.05, 0.5, 0.95])
        self.optimizer = torch.optim.AdamW(ensemble.parameters(), lr=lr)
        self.tally = Tally()
        self.report_every = report_every * micro
        self.seen = 0
        self.optimizer.zero_grad()

    def iterate(self, batch):
        predicted = self.ensemble(batch.weather)
        loss = pinball(predicted, batch.ampacity, self.levels)
        spread = predicted.var(dim=0).mean()
        objective = (loss - 0.001 * spread) / self.micro
        objective.backward()
        self.tally.pinball = self.tally.pinball + loss.detach()
        self.tally.disagreement = self.tally.disagreement + spread.detach()
        self.tally.n += 1
        self.seen += 1
        if self.seen % self.micro == 0:
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.follow()

    @torch.no_grad()
    def follow(self, keep=0.9):
        for s, p in zip(self.shadow.parameters(), self.ensemble.parameters()):
            s.mul_(keep)
            s.add_(p, alpha=1 - keep)

    def due_for_report(self):
        return self.tally.n == self.report_every // 2

    @torch.inference_mode()
    def report(self, batch):
        predicted = self.shadow(batch.weather).mean(dim=0)
        inside = (batch.ampacity > predicted[:, 0]) & (batch.ampacity < predicted[:, 2])
        mean = self.tally.pinball.item() / self.tally.n
        spread = self.tally.disagreement.item() / self.tally.n
        self.tally = Tally()
        return f"after {self.seen}: pinball {mean:.4f}, spread {spread:.4f}, shadow coverage {inside.float().mean():.2f}"
