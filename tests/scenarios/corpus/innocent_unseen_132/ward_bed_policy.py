# gradwatch-corpus: kind=none
"""Admit or divert: policy gradient with a learned baseline for a small hospital ward.

A shift has twelve arrivals.  Everything noted during a shift is used at its end."""
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Bernoulli

torch.set_num_threads(1)
BEDS, ARRIVALS = 5, 12


@dataclass
class Shift:
    logp: list = field(default_factory=list)
    value: list = field(default_factory=list)
    entropy: list = field(default_factory=list)
    gain: list = field(default_factory=list)


class Matron(nn.Module):
    def __init__(self):
        super().__init__()
        self.view = nn.Sequential(nn.Linear(3, 16), nn.Tanh())
        self.admit = nn.Linear(16, 1)
        self.worth = nn.Linear(16, 1)

    def forward(self, s):
        z = self.view(s)
        return self.admit(z).squeeze(-1), self.worth(z).squeeze(-1)


def play(matron, rnd):
    shift, busy = Shift(), 0
    for k in range(ARRIVALS):
        acuity = torch.rand((), generator=rnd)
        s = torch.stack([acuity, torch.tensor(busy / BEDS), torch.tensor(1 - k / ARRIVALS)])
        logit, value = matron(s)
        choice = Bernoulli(logits=logit)
        a = choice.sample()
        shift.logp.append(choice.log_prob(a))
        shift.entropy.append(choice.entropy())
        shift.value.append(value)
        if a.item() and busy < BEDS:
            busy += 1
            shift.gain.append(2 * acuity.item())
        else:
            shift.gain.append(-1.0 if a.item() else 0.1)
        if busy and torch.rand((), generator=rnd) < 0.15:
            busy -= 1
    return shift


def shift_loss(shift):
    togo, acc = [], 0.0
    for g in reversed(shift.gain):
        acc = g + 0.95 * acc
        togo.insert(0, acc)
    togo = torch.tensor(togo)
    value = torch.stack(shift.value)
    adv = togo - value.detach()
    policy = -(torch.stack(shift.logp) * adv).mean()
    return policy + 0.5 * (value - togo).pow(2).mean() - 0.01 * torch.stack(shift.entropy).mean()


def main():
    torch.manual_seed(64)
    rnd = torch.Generator().manual_seed(64)
    matron = Matron()
    opt = torch.optim.Adam(matron.parameters(), lr=5e-3)
    scores = []
    for day in range(700):
        shift = play(matron, rnd)
        loss = shift_loss(shift)
        opt.zero_grad()
        loss.backward()
        opt.step()
        scores.append(sum(shift.gain))
        if day % 100 == 99:
            print(day + 1, f"{sum(scores[-100:]) / 100:.2f}")


if __name__ == "__main__":
    main()
