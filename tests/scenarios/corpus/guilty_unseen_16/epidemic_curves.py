# gradwatch-corpus: kind=graph-held
# holder: self.scores | plateau.scores | scores | self.scores[-1] | plateau.scores[-1]
# first-bad: 1
"""Fits a time-varying contact rate (a small net over the calendar) to weekly case counts of
twelve districts, by running an SEIR model forward and comparing under a Poisson likelihood."""
import math
from dataclasses import dataclass, field

import torch
from torch import nn

torch.manual_seed(2024)
torch.set_num_threads(1)

DAYS, DISTRICTS, STEPS = 28, 12, 260
SIGMA, GAMMA = 1 / 4.5, 1 / 6.0


class ContactRate(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.calendar = nn.Sequential(nn.Linear(3, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.district = nn.Parameter(torch.zeros(DISTRICTS))

    def forward(self, days):
        t = days / DAYS
        feats = torch.stack([t, torch.sin(2 * math.pi * days / 7), torch.cos(2 * math.pi * days / 7)], -1)
        base = self.calendar(feats)
        return 0.6 * torch.sigmoid(base + self.district)


@dataclass
class Plateau:
    """Halves the rate when the score has not gone down for `patience` steps."""
    optimizer: torch.optim.Optimizer
    patience: int = 40
    tolerance: float = 1e-3
    cuts: int = 0
    wait: int = 0
    scores: list = field(default_factory=list)

    def update(self, score):
        if self.scores and score > min(self.scores) - self.tolerance:
            self.wait += 1
        else:
            self.wait = 0
        self.scores.append(score)  # <- culprit
        if self.wait >= self.patience:
            self.wait = 0
            self.cuts += 1
            for group in self.optimizer.param_groups:
                group["lr"] = max(group["lr"] * 0.5, 1e-4)


def seir(beta, init_infected):
    e = init_infected
    i = init_infected * 0.5
    s = 1.0 - e - i
    new = []
    for day in range(DAYS):
        infections = beta[day] * s * i
        onset = SIGMA * e
        s = s - infections
        e = e + infections - onset
        i = i + onset - GAMMA * i
        new.append(onset)
    return torch.stack(new)


def observe(generator, population):
    days = torch.arange(DAYS, dtype=torch.float32)
    lift = 0.25 + 0.2 * torch.sigmoid((14 - days) / 2)
    beta = lift[:, None] * (1 + 0.2 * torch.randn(DISTRICTS, generator=generator))
    mean = seir(beta, torch.full((DISTRICTS,), 2e-3)) * population
    return torch.poisson(mean, generator=generator)


def poisson_nll(expected, counts):
    return (expected - counts * torch.log(expected + 1e-6)).mean()


def main():
    gen = torch.Generator().manual_seed(3)
    population = torch.linspace(20_000, 90_000, DISTRICTS)
    counts = observe(gen, population)
    days = torch.arange(DAYS, dtype=torch.float32)

    contact = ContactRate()
    log_seed = nn.Parameter(torch.full((DISTRICTS,), math.log(1e-3)))
    optimizer = torch.optim.Adam([*contact.parameters(), log_seed], lr=0.02)
    plateau = Plateau(optimizer)

    for step in range(STEPS):
        keep = (torch.rand(DAYS, DISTRICTS, generator=gen) > 0.1).float()
        expected = seir(contact(days), log_seed.exp()) * population
        nll = poisson_nll(expected * keep + (1 - keep), counts * keep)
        prior = contact.district.pow(2).mean()
        objective = nll + prior

        optimizer.zero_grad()
        objective.backward()
        optimizer.step()
        plateau.update(nll)  # <- culprit

        if step % 65 == 0:
            print(f"step {step:3d}  nll {nll.item():9.3f}  cuts {plateau.cuts}  "
                  f"lr {optimizer.param_groups[0]['lr']:.4f}")

    with torch.no_grad():
        r0 = contact(days).mean(1) / GAMMA
    print("R(t), weekly:", [round(v, 2) for v in r0[::7].tolist()])


if __name__ == "__main__":
    main()
