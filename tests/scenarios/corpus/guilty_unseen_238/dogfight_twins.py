# gradwatch-corpus: kind=inplace-modified
# first-bad: 20
# two little planes chase each other. chaser and runner share a radar net; the runner starts learning later
import math

import torch
import torch.nn as nn

torch.manual_seed(17)

ARENA = 4.0
BATCH = 32
ROUNDS = 120
RUNNER_WAKES = 20
FLIGHT = 5


class Radar(nn.Module):
    def __init__(self, width=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(6, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())

    def forward(self, me, other):
        gap = other - me
        dist = gap.norm(dim=1, keepdim=True)
        bearing = gap / (dist + 1e-3)
        return self.net(torch.cat([me / ARENA, bearing, dist / ARENA, dist * 0 + 1], dim=1))


class Pilot(nn.Module):
    def __init__(self, radar, speed):
        super().__init__()
        self.radar = radar
        self.speed = speed
        self.stick = nn.Sequential(nn.Linear(24, 16), nn.ReLU(), nn.Linear(16, 2))

    def fly(self, me, other):
        push = torch.tanh(self.stick(self.radar(me, other)))
        return me + self.speed * push


class Dogfight:
    def __init__(self):
        self.radar = Radar()
        self.chaser = Pilot(self.radar, 0.30)
        self.runner = Pilot(self.radar, 0.24)
        self.chaser_opt = torch.optim.SGD(self.chaser.parameters(), lr=0.05, momentum=0.8)
        self.runner_opt = torch.optim.SGD(self.runner.stick.parameters(), lr=0.05, momentum=0.8)
        self.round = 0
        self.catches = 0

    def spawn(self):
        a = torch.rand(BATCH) * 2 * math.pi
        home = torch.stack([torch.cos(a), torch.sin(a)], dim=1)
        return home * 1.5, -home + 0.2 * torch.randn(BATCH, 2)

    def fence(self, pos):
        return (pos.abs() - ARENA).relu().pow(2).sum(dim=1).mean()

    def battle(self):
        c, r = self.spawn()
        for _ in range(FLIGHT):
            c_next = self.chaser.fly(c, r)
            r_next = self.runner.fly(r, c)
            c, r = c_next, r_next
        gap = (c - r).norm(dim=1)
        self.catches += int((gap < 0.4).sum())
        chase_loss = gap.mean() + self.fence(c)
        run_loss = -gap.clamp(max=3).mean() + self.fence(r)

        awake = self.round >= RUNNER_WAKES
        self.chaser_opt.zero_grad()
        chase_loss.backward(retain_graph=awake)
        self.chaser_opt.step()  # <- culprit

        if awake:
            self.runner_opt.zero_grad()
            run_loss.backward()  # <- culprit
            self.runner_opt.step()
        self.round += 1
        return chase_loss.item(), run_loss.item()


game = Dogfight()
history = []
for r in range(ROUNDS):
    history.append(game.battle())
    if r % 10 == 0:
        c, u = history[-1]
        print(f"round {r:3d} chaser {c:.3f} runner {u:+.3f} catches {game.catches}")
print("catches:", game.catches)
