# gradwatch-corpus: kind=graph-held
# holder: agent.episodes | self.episodes
# first-bad: 1
"""REINFORCE on a small grid."""
from dataclasses import dataclass, field
import random

import torch
from torch import nn
from torch.distributions import Categorical

MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


class Grid:
    def __init__(self, n=4, rng=None):
        self.n, self.rng = n, rng or random.Random(0)

    def reset(self):
        self.pos = [self.rng.randrange(self.n), self.rng.randrange(self.n)]
        self.t = 0
        return self.observe()

    def observe(self):
        return torch.tensor([self.pos[0] / self.n, self.pos[1] / self.n, self.t / 10.0])

    def step(self, a):
        dx, dy = MOVES[a]
        self.pos[0] = min(self.n - 1, max(0, self.pos[0] + dx))
        self.pos[1] = min(self.n - 1, max(0, self.pos[1] + dy))
        self.t += 1
        goal = self.pos == [self.n - 1, self.n - 1]
        return self.observe(), (1.0 if goal else -0.05), goal or self.t >= 8


@dataclass
class Episode:
    log_probs: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    @property
    def score(self):
        return sum(self.rewards)

    def returns(self, gamma):
        out, acc = [], 0.0
        for r in reversed(self.rewards):
            acc = r + gamma * acc
            out.insert(0, acc)
        return torch.tensor(out)


class Agent:
    def __init__(self, gamma=0.97):
        self.gamma = gamma
        self.policy = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 4))
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=5e-3)
        self.episodes = {}

    def act(self, obs, episode):
        dist = Categorical(logits=self.policy(obs))
        a = dist.sample()
        episode.log_probs.append(dist.log_prob(a))
        return a.item()

    def learn(self, number, episode):
        ret = episode.returns(self.gamma)
        adv = ret - ret.mean()
        loss = -(torch.stack(episode.log_probs) * adv).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.episodes[number] = episode  # <- culprit

    def recent_score(self, k=50):
        keys = sorted(self.episodes)[-k:]
        return sum(self.episodes[i].score for i in keys) / len(keys)


def main():
    torch.manual_seed(11)
    env, agent = Grid(rng=random.Random(11)), Agent()
    for number in range(420):
        ep = Episode()
        obs, done = env.reset(), False
        while not done:
            a = agent.act(obs, ep)
            obs, r, done = env.step(a)
            ep.rewards.append(r)
        agent.learn(number, ep)
        if number % 70 == 69:
            print(f"episode {number + 1:4d}  mean score {agent.recent_score():+.3f}")


if __name__ == "__main__":
    main()
