# gradwatch-corpus: kind=none
"""n-step actor-critic that steers a ferry across a tidal strait; two optimizers, recurrent pilot."""
from collections import deque
from dataclasses import dataclass, field
from typing import List

import torch
from torch import nn
from torch.distributions import Normal


@dataclass
class Stretch:
    logps: List[torch.Tensor] = field(default_factory=list)
    values: List[torch.Tensor] = field(default_factory=list)
    entropies: List[torch.Tensor] = field(default_factory=list)
    tolls: List[torch.Tensor] = field(default_factory=list)

    def __len__(self):
        return len(self.tolls)


class Strait:
    def __init__(self, n, seed):
        self.rng = torch.Generator().manual_seed(seed)
        self.n = n
        self.clock = 0
        self.pos = torch.zeros(n, 2)

    def chart(self):
        tide = torch.full((self.n, 1), self.clock % 40 / 40)
        return torch.cat([self.pos, tide], dim=1)

    def sail(self, rudder):
        current = torch.sin(torch.tensor(2 * torch.pi * self.clock / 40))
        gust = 0.02 * torch.randn(self.n, generator=self.rng)
        y = self.pos[:, 1] + 0.1 * rudder.clamp(-1, 1) + 0.05 * current + gust
        x = (self.pos[:, 0] + 0.02) % 1.0
        y = y.clamp(-1, 1)
        self.pos = torch.stack([x, y], dim=1)
        self.clock += 1
        return -y.abs()


class Pilot(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.feel = nn.GRUCell(3, width)
        self.rudder = nn.Linear(width, 1)
        self.log_sway = nn.Parameter(torch.tensor(-1.0))

    def forward(self, chart, mood):
        mood = self.feel(chart, mood)
        mean = self.rudder(mood).squeeze(-1)
        return Normal(mean, self.log_sway.exp()), mood


class Captain:
    gamma = 0.95

    def __init__(self, strait, n_step=6):
        self.strait = strait
        self.n_step = n_step
        self.pilot = Pilot()
        self.critic = nn.Sequential(nn.Linear(3, 32), nn.Tanh(), nn.Linear(32, 1))
        self.opt_pilot = torch.optim.Adam(self.pilot.parameters(), lr=3e-3)
        self.opt_critic = torch.optim.Adam(self.critic.parameters(), lr=5e-3)
        self.mood = torch.zeros(strait.n, 24)
        self.toll_book = deque(maxlen=50)

    def stretches(self):
        while True:
            s = Stretch()
            while len(s) < self.n_step:
                chart = self.strait.chart()
                policy, self.mood = self.pilot(chart, self.mood)
                rudder = policy.sample()
                s.logps.append(policy.log_prob(rudder))
                s.entropies.append(policy.entropy())
                s.values.append(self.critic(chart).squeeze(-1))
                s.tolls.append(self.strait.sail(rudder))
            yield s
            self.mood = self.mood.detach()

    def returns(self, s):
        with torch.no_grad():
            tail = self.critic(self.strait.chart()).squeeze(-1)
        out = []
        for toll in reversed(s.tolls):
            tail = toll + self.gamma * tail
            out.append(tail)
        return torch.stack(out[::-1])

    def learn(self, s):
        goal = self.returns(s)
        values = torch.stack(s.values)
        edge = (goal - values).detach()
        steer = -(torch.stack(s.logps) * edge).mean() - 1e-3 * torch.stack(s.entropies).mean()
        judge = (goal - values).pow(2).mean()
        self.opt_pilot.zero_grad()
        self.opt_critic.zero_grad()
        steer.backward()
        judge.backward()
        self.opt_pilot.step()
        self.opt_critic.step()
        self.toll_book.append(torch.stack(s.tolls).mean())
        return steer.item(), judge.item()


def main():
    torch.manual_seed(55)
    captain = Captain(Strait(n=16, seed=55))
    for crossing, stretch in zip(range(130), captain.stretches()):
        steer, judge = captain.learn(stretch)
        if crossing % 26 == 0:
            mean = sum(captain.toll_book) / len(captain.toll_book)
            print(f"crossing {crossing:3d} steer {steer:+.4f} judge {judge:.4f} toll {mean.item():.3f}")


if __name__ == "__main__":
    main()
