# gradwatch-corpus: kind=graph-held
# holder: self.episodes | agent.episodes
# first-bad: 1
"""REINFORCE on a one-dimensional paddle game."""
import argparse
from dataclasses import dataclass
from dataclasses import field

import torch
import torch.nn as nn
from torch.distributions import Categorical


@dataclass
class Episode:
    log_probs: list = field(default_factory=list)
    rewards: list = field(default_factory=list)
    seed: int = 0

    @property
    def score(self):
        return sum(self.rewards)


class Paddle:
    def __init__(self, width=9):
        self.width = width

    def reset(self, gen):
        self.pos = self.width // 2
        self.ball = int(torch.randint(0, self.width, (1,), generator=gen))
        self.height = 6
        return self.obs()

    def obs(self):
        o = torch.zeros(2 * self.width + 1)
        o[self.pos] = 1.0
        o[self.width + self.ball] = 1.0
        o[-1] = self.height / 6
        return o

    def step(self, a):
        self.pos = min(max(self.pos + a - 1, 0), self.width - 1)
        self.height -= 1
        done = self.height == 0
        reward = 0.0
        if done:
            reward = 1.0 if abs(self.pos - self.ball) <= 1 else -1.0
        return self.obs(), reward, done


class Agent:
    def __init__(self, n_obs, n_act, args):
        self.pi = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, n_act))
        self.opt = torch.optim.Adam(self.pi.parameters(), lr=args.lr)
        self.gamma = args.gamma
        self.episodes = []

    def begin(self, seed):
        self.episodes.append(Episode(seed=seed))  # <- culprit

    def act(self, obs):
        dist = Categorical(logits=self.pi(obs))
        a = dist.sample()
        self.episodes[-1].log_probs.append(dist.log_prob(a))  # <- culprit
        return int(a)

    def reward(self, r):
        self.episodes[-1].rewards.append(r)

    def learn(self):
        ep = self.episodes[-1]
        baseline = sum(e.score for e in self.episodes) / len(self.episodes)
        g = 0.0
        loss = 0.0
        for lp, r in zip(reversed(ep.log_probs), reversed(ep.rewards)):
            g = r + self.gamma * g
            loss = loss - lp * (g - baseline)
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return loss.item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--episodes", type=int, default=200)
    ap.add_argument("--lr", type=float, default=1e-2)
    ap.add_argument("--gamma", type=float, default=0.98)
    args = ap.parse_args([])
    torch.manual_seed(0)
    gen = torch.Generator().manual_seed(0)
    env = Paddle()
    agent = Agent(2 * env.width + 1, 3, args)
    for n in range(args.episodes):
        agent.begin(n)
        obs = env.reset(gen)
        done = False
        while not done:
            obs, r, done = env.step(agent.act(obs))
            agent.reward(r)
        agent.learn()
        if n % 50 == 49:
            top = sorted(agent.episodes[-50:], key=lambda e: -e.score)
            mean = sum(e.score for e in top) / 50
            print("episode", n + 1, "mean score", mean, "best seed", top[0].seed)


if __name__ == "__main__":
    main()
