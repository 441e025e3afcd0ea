# gradwatch-corpus: kind=none
"""REINFORCE with learned baseline; one update every few episodes, saved actions on the policy object."""
import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

Saved = namedtuple("Saved", ["log_prob", "value", "entropy"])


class Inventory:
    def __init__(self, cap=10, horizon=12):
        self.cap, self.horizon = cap, horizon

    def reset(self):
        self.stock, self.t = 5, 0
        return self.state()

    def state(self):
        return torch.tensor([self.stock / self.cap, self.t / self.horizon, 1.0])

    def step(self, order):
        demand = random.randint(0, 4)
        self.stock = min(self.cap, self.stock + order)
        sold = min(self.stock, demand)
        self.stock -= sold
        self.t += 1
        return self.state(), sold - 0.3 * order - 0.05 * self.stock, self.t >= self.horizon


class Policy(nn.Module):
    def __init__(self, orders=5):
        super().__init__()
        self.base = nn.Linear(3, 32)
        self.pi, self.v = nn.Linear(32, orders), nn.Linear(32, 1)
        self.saved, self.rewards = [], []

    def forward(self, s):
        h = torch.tanh(self.base(s))
        return self.pi(h), self.v(h)

    def act(self, s):
        logits, v = self(s)
        d = Categorical(logits=logits)
        a = d.sample()
        self.saved.append(Saved(d.log_prob(a), v.squeeze(-1), d.entropy()))
        return a.item()


class Reinforce:
    def __init__(self, gamma=0.95, episodes_per_update=2):
        self.policy = Policy()
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=4e-3)
        self.gamma, self.every = gamma, episodes_per_update
        self.pending = []
        self.stats = deque(maxlen=50)
        self.update_losses = []

    def end_episode(self):
        R, returns = 0.0, []
        for r in reversed(self.policy.rewards):
            R = r + self.gamma * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        scaled = (returns - returns.mean()) / (returns.std() + 1e-6)
        logp, val, ent = (torch.stack(z) for z in zip(*self.policy.saved))
        loss = -(logp * (scaled - val.detach())).sum() + F.smooth_l1_loss(val, scaled, reduction="sum") - 0.02 * ent.sum()
        self.pending.append(loss)
        self.stats.append((sum(self.policy.rewards), ent.mean()))
        del self.policy.saved[:]
        del self.policy.rewards[:]
        if len(self.pending) == self.every:
            self.update()

    def update(self):
        total = torch.stack(self.pending).mean()
        self.opt.zero_grad()
        total.backward()
        self.opt.step()
        self.update_losses.append(total.item())
        self.pending = []


def main(episodes=900):
    random.seed(4)
    torch.manual_seed(4)
    env, algo = Inventory(), Reinforce()
    for ep in range(1, episodes + 1):
        s, done = env.reset(), False
        while not done:
            s, r, done = env.step(algo.policy.act(s))
            algo.policy.rewards.append(r)
        algo.end_episode()
        if ep % 150 == 0:
            ret = sum(x for x, _ in algo.stats) / len(algo.stats)
            ent = torch.stack([e for _, e in algo.stats]).mean().item()
            print(f"episode {ep} return {ret:.2f} entropy {ent:.3f} loss {algo.update_losses[-1]:.3f}")


if __name__ == "__main__":
    main()
