# gradwatch-corpus: kind=second-backward
# holder: self.log_probs | trace.log_probs | self.trace.log_probs | agent.trace.log_probs
# first-bad: 1
# also: graph-chain, graph-held
"""REINFORCE with entropy bonus on a windy corridor."""
from dataclasses import dataclass, field

import torch
import torch.nn as nn
from torch.distributions import Categorical


class WindyCorridor:
    def __init__(self, length=9, wind=0.15, limit=30, seed=0):
        self.length, self.wind, self.limit = length, wind, limit
        self.gen = torch.Generator().manual_seed(seed)

    def _obs(self):
        v = torch.zeros(self.length + 1)
        v[self.pos] = 1.0
        v[-1] = self.t / self.limit
        return v

    def reset(self):
        self.pos, self.t = self.length // 2, 0
        return self._obs()

    def step(self, action):
        self.t += 1
        move = 1 if action == 1 else -1
        if torch.rand((), generator=self.gen).item() < self.wind:
            move = -1
        self.pos = max(0, min(self.length - 1, self.pos + move))
        at_goal = self.pos == self.length - 1
        return self._obs(), (1.0 if at_goal else -0.02), at_goal or self.t >= self.limit


@dataclass
class Trace:
    log_probs: list = field(default_factory=list)
    entropies: list = field(default_factory=list)
    rewards: list = field(default_factory=list)

    def add(self, dist, action, reward):
        self.log_probs.append(dist.log_prob(action))  # <- culprit
        self.entropies.append(dist.entropy())
        self.rewards.append(reward)

    def returns(self, gamma):
        g, out = 0.0, []
        for r in reversed(self.rewards):
            g = r + gamma * g
            out.append(g)
        out = torch.tensor(out[::-1])
        return (out - out.mean()) / (out.std() + 1e-6)

    def clear(self):  # <- culprit
        self.rewards.clear()
        self.entropies.clear()


class Agent:
    def __init__(self, obs_dim, gamma=0.97, lr=1e-2, bonus=0.01):
        self.policy = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, 2))
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=lr)
        self.gamma, self.bonus = gamma, bonus
        self.trace = Trace()

    def play(self, env):
        obs, done, total = env.reset(), False, 0.0
        while not done:
            dist = Categorical(logits=self.policy(obs))
            action = dist.sample()
            obs, reward, done = env.step(action.item())
            self.trace.add(dist, action, reward)
            total += reward
        return total

    def learn(self):
        returns = self.trace.returns(self.gamma)
        terms = [-lp * g for lp, g in zip(self.trace.log_probs, returns)]
        loss = torch.stack(terms).sum() - self.bonus * torch.stack(self.trace.entropies).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.trace.clear()  # <- culprit
        return loss.item()


def main(episodes=120):
    torch.manual_seed(6)
    env = WindyCorridor()
    agent = Agent(env.length + 1)
    for ep in range(episodes):
        score = agent.play(env)
        loss = agent.learn()
        if ep % 20 == 0:
            print(f"episode {ep:3d} score {score:.2f} loss {loss:.3f}")


if __name__ == "__main__":
    main()
