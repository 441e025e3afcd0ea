# gradwatch-corpus: kind=none
# about: log probs and values with their graph pile up in a list on the policy, through an episode only; the one backward per episode uses all and the list is emptied
"""Advantage actor critic, one update per episode: steer a ferry across a current."""
import math
import random
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

Decision = namedtuple("Decision", ["log_prob", "value", "entropy"])


class Ferry:
    RUDDER = (-0.6, 0.0, 0.6)

    def __init__(self, seed):
        self.rng = random.Random(seed)

    def reset(self):
        self.x, self.y, self.heading = 0.0, self.rng.uniform(-0.3, 0.3), 0.0
        self.stream = self.rng.uniform(-0.5, 0.5)
        self.t = 0
        return self.sense()

    def sense(self):
        return [self.x, self.y, math.sin(self.heading), math.cos(self.heading), self.stream]

    def step(self, a):
        self.heading = max(-1.4, min(1.4, self.heading + self.RUDDER[a]))
        self.x += 0.09 * math.cos(self.heading)
        self.y += 0.09 * (math.sin(self.heading) + self.stream)
        self.t += 1
        landed = self.x >= 1.0
        reward = -0.3 * abs(self.y) * 0.2 + (2.0 - 3.0 * abs(self.y) if landed else 0.0)
        return self.sense(), reward, landed or self.t >= 24


class Helmsman(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(5, 64)
        self.rudder = nn.Linear(64, 3)
        self.worth = nn.Linear(64, 1)
        self.decisions = []
        self.rewards = []

    def forward(self, s):
        h = torch.tanh(self.body(s))
        return self.rudder(h), self.worth(h)

    def choose(self, s):
        logits, worth = self(torch.tensor(s))
        d = Categorical(logits=logits, validate_args=False)
        a = d.sample()
        self.decisions.append(Decision(d.log_prob(a), worth[0], d.entropy()))
        return a.item()


def settle(policy, opt, gamma=0.97):
    back, gains = 0.0, []
    for r in reversed(policy.rewards):
        back = r + gamma * back
        gains.append(back)
    gains = torch.tensor(gains[::-1])
    gains = (gains - gains.mean()) / (gains.std() + 1e-6)
    lp, v, ent = (torch.stack(col) for col in zip(*policy.decisions))
    adv = gains - v.detach()
    loss = -(lp * adv).sum() + F.smooth_l1_loss(v, gains, reduction="sum") - 0.01 * ent.sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    del policy.decisions[:]
    del policy.rewards[:]
    return loss.item()


def main(episodes=320):
    torch.manual_seed(12)
    sea, policy = Ferry(12), Helmsman()
    opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
    smoothed = 0.0
    for ep in range(1, episodes + 1):
        s, over, total = sea.reset(), False, 0.0
        while not over:
            s, r, over = sea.step(policy.choose(s))
            policy.rewards.append(r)
            total += r
        loss = settle(policy, opt)
        smoothed = 0.05 * total + 0.95 * smoothed
        if ep % 40 == 0:
            print(f"episode {ep}\tlast return {total:.2f}\tsmoothed {smoothed:.2f}\tloss {loss:.2f}")


if __name__ == "__main__":
    main()
