# gradwatch-corpus: kind=graph-held
# holder: self.log | agent.log | self.log[-1].entropy | log
# first-bad: 1
# Weekend project: REINFORCE on a windy corridor, no gym needed.
import random
from dataclasses import dataclass

import torch
import torch.nn as nn
from torch.distributions import Categorical


class WindyCorridor:
    def __init__(self, length=9, wind=0.2):
        self.length, self.wind = length, wind

    def reset(self):
        self.pos, self.t = self.length // 2, 0
        return self.obs()

    def obs(self):
        o = torch.zeros(self.length + 1)
        o[self.pos] = 1.0
        o[-1] = self.t / 30.0
        return o

    def step(self, a):
        move = 1 if a == 1 else -1
        if random.random() < self.wind:
            move = -1
        self.pos = max(0, min(self.length - 1, self.pos + move))
        self.t += 1
        won = self.pos == self.length - 1
        dead = self.pos == 0
        return self.obs(), (1.0 if won else -1.0 if dead else -0.02), won or dead or self.t >= 30


@dataclass
class EpisodeStats:
    steps: int
    ret: float
    entropy: torch.Tensor


class Agent:
    def __init__(self, n_obs, lr=5e-3, gamma=0.98, beta=0.01):
        self.net = nn.Sequential(nn.Linear(n_obs, 32), nn.Tanh(), nn.Linear(32, 2))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=lr)
        self.gamma, self.beta = gamma, beta
        self.log = []
        self._clear()

    def _clear(self):
        self.logps, self.ents, self.rewards = [], [], []

    def act(self, obs):
        dist = Categorical(logits=self.net(obs))
        a = dist.sample()
        self.logps.append(dist.log_prob(a))
        self.ents.append(dist.entropy())
        return a.item()

    def returns(self):
        g, out = 0.0, []
        for r in reversed(self.rewards):
            g = r + self.gamma * g
            out.insert(0, g)
        out = torch.tensor(out)
        return (out - out.mean()) / (out.std(unbiased=False) + 1e-6)

    def summarise(self, entropy):
        return EpisodeStats(len(self.rewards), sum(self.rewards), entropy)  # <- culprit

    def finish_episode(self):
        entropy = torch.stack(self.ents).mean()
        pg = -(torch.stack(self.logps) * self.returns()).sum()
        self.opt.zero_grad()
        (pg - self.beta * entropy).backward()
        self.opt.step()
        stats = self.summarise(entropy)  # <- culprit
        self.log.append(stats)  # <- culprit
        self._clear()
        return stats


def report(log, n=40):
    recent = log[-n:]
    mean_ret = sum(s.ret for s in recent) / len(recent)
    ent = sum(float(s.entropy) for s in recent) / len(recent)
    print(f"ep {len(log):4d}  return {mean_ret:+.2f}  entropy {ent:.3f}  len {recent[-1].steps}")


def main(episodes=160):
    random.seed(4)
    torch.manual_seed(4)
    env = WindyCorridor()
    agent = Agent(env.length + 1)
    for ep in range(1, episodes + 1):
        obs, done = env.reset(), False
        while not done:
            obs, r, done = env.step(agent.act(obs))
            agent.rewards.append(r)
        agent.finish_episode()
        if ep % 40 == 0:
            report(agent.log)


if __name__ == "__main__":
    main()
