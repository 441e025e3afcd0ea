# gradwatch-corpus: kind=none
"""Signal timing by a differentiable queue model, with a per-phase table of rollouts."""
from enum import Enum, auto

import torch
from torch import nn


class Phase(Enum):
    WARMUP = auto()
    PEAK = auto()
    CLEAR = auto()


class Timing(nn.Module):
    def __init__(self, arms=4):
        super().__init__()
        self.policy = nn.Sequential(nn.Linear(arms * 2, 24), nn.Tanh(), nn.Linear(24, arms))

    def forward(self, queue, arrival):
        return torch.softmax(self.policy(torch.cat([queue, arrival], -1)), -1)


class Controller:
    def __init__(self):
        self.phase = Phase.WARMUP
        self.since = 0
        self.table = {p: [] for p in Phase}
        self.log = []

    def next_phase(self, load):
        match self.phase, self.since:
            case Phase.WARMUP, n if n >= 15:
                return Phase.PEAK
            case Phase.PEAK, n if n >= 25 or load < 0.2:
                return Phase.CLEAR
            case Phase.CLEAR, n if n >= 10:
                return Phase.WARMUP
            case same, _:
                return same

    def observe(self, rollout, load):
        self.table[self.phase].append(rollout)
        self.since += 1
        target = self.next_phase(load)
        if target is not self.phase:
            self.leave(target)

    def leave(self, target):
        rollouts = self.table[self.phase]
        mean = sum(r.mean().item() for r in rollouts) / len(rollouts)
        self.log.append((self.phase.name, len(rollouts), round(mean, 3)))
        del self.log[:-50]
        rollouts.clear()
        self.phase, self.since = target, 0


RATES = {Phase.WARMUP: 0.2, Phase.PEAK: 0.5, Phase.CLEAR: 0.1}


def simulate(model, arrival, steps=8):
    queue = torch.zeros_like(arrival)
    seen = []
    for _ in range(steps):
        green = model(queue, arrival)
        queue = torch.relu(queue + arrival - 1.2 * green)
        seen.append(queue)
    return torch.stack(seen)


def main():
    torch.manual_seed(60)
    gen = torch.Generator().manual_seed(61)
    model = Timing()
    opt = torch.optim.Adam(model.parameters(), lr=3e-3)
    ctl = Controller()
    for it in range(450):
        arrival = RATES[ctl.phase] * torch.rand(16, 4, generator=gen) * 2
        rollout = simulate(model, arrival)
        loss = rollout.pow(2).mean() + 0.1 * rollout[-1].max(-1).values.mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        ctl.observe(rollout, arrival.mean().item())
        if it % 75 == 74:
            print(it + 1, f"{loss.item():.4f}", ctl.log[-3:])


if __name__ == "__main__":
    main()
