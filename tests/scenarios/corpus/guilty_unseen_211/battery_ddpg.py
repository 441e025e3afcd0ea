# gradwatch-corpus: kind=inplace-modified
# first-bad: 4
import copy
import random
from collections import deque

import torch
from torch import nn
import torch.nn.functional as F


def mlp(*sizes, last=nn.Identity):
    mods = []
    for i in range(len(sizes) - 1):
        mods += [nn.Linear(sizes[i], sizes[i + 1]), nn.ReLU() if i < len(sizes) - 2 else last()]
    return nn.Sequential(*mods)


class BatteryMarket:
    def __init__(self, seed):
        self.rng = random.Random(seed)
        self.reset()

    def reset(self):
        self.t, self.charge, self.price = 0, 0.5, 0.5
        return self.obs()

    def obs(self):
        return [self.charge, self.price, self.t / 24]

    def step(self, a):
        new = min(max(self.charge + 0.2 * a, 0.0), 1.0)
        reward = -(new - self.charge) * self.price
        self.charge, self.t = new, self.t + 1
        self.price = min(max(self.price + self.rng.uniform(-0.2, 0.2), 0.0), 1.0)
        return self.obs(), reward, self.t >= 24


class Replay:
    def __init__(self, size):
        self.items = deque(maxlen=size)

    def add(self, *row):
        self.items.append(row)

    def sample(self, n):
        cols = zip(*random.sample(self.items, n))
        s, a, r, s2, d = (torch.tensor(c, dtype=torch.float32) for c in cols)
        return s, a.unsqueeze(1), r.unsqueeze(1), s2, d.unsqueeze(1)


class Learner:
    def __init__(self, gamma=0.97, tau=0.02):
        self.actor = mlp(3, 32, 32, 1, last=nn.Tanh)
        self.critic = mlp(4, 48, 48, 1)
        self.actor_t, self.critic_t = copy.deepcopy(self.actor), copy.deepcopy(self.critic)
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=1e-3)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=2e-3)
        self.gamma, self.tau, self.updates = gamma, tau, 0

    def q(self, net, s, a):
        return net(torch.cat([s, a], 1))

    @torch.no_grad()
    def target(self, r, s2, d):
        return r + self.gamma * (1 - d) * self.q(self.critic_t, s2, self.actor_t(s2))

    def update(self, batch):
        s, a, r, s2, d = batch
        self.updates += 1
        td = F.mse_loss(self.q(self.critic, s, a), self.target(r, s2, d))
        gain = -self.q(self.critic, s, self.actor(s)).mean() if self.updates % 5 == 0 else None  # <- culprit
        self.opt_c.zero_grad()
        td.backward()
        self.opt_c.step()  # <- culprit
        if gain is not None:
            self.opt_a.zero_grad()
            gain.backward()
            self.opt_a.step()
            self.soft_update()
        return td.item()

    @torch.no_grad()
    def soft_update(self):
        for net, tgt in ((self.actor, self.actor_t), (self.critic, self.critic_t)):
            for p, q in zip(net.parameters(), tgt.parameters()):
                q.lerp_(p, self.tau)


def main():
    torch.manual_seed(0)
    random.seed(0)
    env, learner, replay = BatteryMarket(1), Learner(), Replay(2000)
    s, losses = env.reset(), []
    for step in range(200):
        with torch.no_grad():
            a = learner.actor(torch.tensor(s)).item() + random.gauss(0, 0.3)
        s2, r, done = env.step(max(-1.0, min(1.0, a)))
        replay.add(s, a, r, s2, float(done))
        s = env.reset() if done else s2
        if step >= 64:
            losses.append(learner.update(replay.sample(32)))
    print(losses[-1])


if __name__ == "__main__":
    main()
