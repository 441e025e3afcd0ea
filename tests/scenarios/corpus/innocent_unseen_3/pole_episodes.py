# gradwatch-corpus: kind=none
# about: log-probs with their graphs pile up for a whole episode (up to 260 critic steps, longer as the actor learns) and are spent at its end; bounded by the horizon
"""Actor-critic on a tiny balancing task. The critic learns at every environment step, the actor at the end of each episode."""
import math
import random
from collections import namedtuple

import torch
from torch import nn

torch.manual_seed(11)
random.seed(11)
Transition = namedtuple("Transition", "logp entropy advantage")
HORIZON = 260


class Stick:
    """An inverted stick; the push is -1 or +1."""

    def __init__(self):
        self.rng = random.Random(5)

    def reset(self):
        self.angle, self.rate, self.clock = self.rng.uniform(-.05, .05), 0.0, 0
        return self._obs()

    def _obs(self):
        return torch.tensor([self.angle * 5, self.rate, math.sin(self.angle), self.clock / HORIZON])

    def push(self, a):
        force = 1.6 if a else -1.6
        self.rate += 0.05 * (1.1 * math.sin(self.angle) + force + self.rng.gauss(0, .3))
        self.angle += 0.05 * self.rate
        self.clock += 1
        return self._obs(), 1.0, abs(self.angle) > .9 or self.clock >= HORIZON


class Actor(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4, 24), nn.Tanh(), nn.Linear(24, 2))

    def forward(self, o):
        return torch.distributions.Categorical(logits=self.body(o))


actor, critic = Actor(), nn.Sequential(nn.Linear(4, 24), nn.ReLU(), nn.Linear(24, 1))
pi_opt = torch.optim.Adam(actor.parameters(), lr=2e-2)
v_opt = torch.optim.Adam(critic.parameters(), lr=5e-3)
world = Stick()
lengths = []
total_steps, BUDGET = 0, 4200
for episode in range(70):
    obs, over = world.reset(), False
    trail = []
    while not over:
        dist = actor(obs)
        act = dist.sample()
        nxt, reward, over = world.push(act.item())
        with torch.no_grad():
            boot = 0.0 if over else critic(nxt).squeeze()
        td = reward * .1 + .97 * boot - critic(obs).squeeze()
        v_opt.zero_grad()
        td.pow(2).backward()
        v_opt.step()
        trail.append(Transition(dist.log_prob(act), dist.entropy(), td.detach()))
        obs = nxt
        total_steps += 1
    if total_steps > BUDGET:
        break
    batch = Transition(*map(torch.stack, zip(*trail)))
    ret, returns = 0.0, []
    for i in range(len(trail)):
        ret = .1 + .97 * ret
        returns.append(ret)
    goal = torch.tensor(returns[::-1])
    goal = (goal - goal.mean()) / (goal.std() + 1e-4)
    pi_loss = -(batch.logp * (goal + .1 * batch.advantage)).mean() - .003 * batch.entropy.mean()
    pi_opt.zero_grad()
    pi_loss.backward()
    pi_opt.step()
    lengths.append(len(trail))
    if episode % 7 == 0:
        print(f"episode {episode:3d}  length {lengths[-1]:4d}  mean of last five {sum(lengths[-5:]) / len(lengths[-5:]):.1f}  env steps {total_steps}")
print("longest", max(lengths), "steps", total_steps)
