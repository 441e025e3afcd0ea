# gradwatch-corpus: kind=graph-held
# holder: self.archive | agent.archive | self.episodes | agent.archive.episodes
# first-bad: 1
# notice: 8
import random
from dataclasses import dataclass, field

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(3)
random.seed(3)
torch.set_num_threads(1)


class Corridor:
    """Walk to the right end; a step costs a little."""

    def __init__(self, length=7):
        self.length = length

    def reset(self):
        self.pos, self.t = self.length // 2, 0
        return self._obs()

    def _obs(self):
        o = torch.zeros(self.length)
        o[self.pos] = 1.0
        return o

    def step(self, action):
        self.t += 1
        self.pos = max(0, min(self.length - 1, self.pos + (1 if action == 1 else -1)))
        done = self.pos == self.length - 1 or self.t >= 12
        return self._obs(), (1.0 if self.pos == self.length - 1 else -0.05), done


@dataclass
class Episode:
    rewards: list = field(default_factory=list)
    log_probs: list = field(default_factory=list)

    def add(self, reward, log_prob):
        self.rewards.append(reward)
        self.log_probs.append(log_prob)

    def returns(self, gamma):
        g, out = 0.0, []
        for r in reversed(self.rewards):
            g = r + gamma * g
            out.insert(0, g)
        return torch.tensor(out)


class Archive:
    """Every episode played, for the report after training."""

    def __init__(self):
        self.episodes = []

    def put(self, episode):
        self.episodes.append(episode)  # <- culprit

    def best(self):
        return max(self.episodes, key=lambda e: sum(e.rewards))


class Agent:
    def __init__(self, n_obs, gamma=0.97):
        self.policy = nn.Sequential(nn.Linear(n_obs, 24), nn.Tanh(), nn.Linear(24, 2))
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=5e-3)
        self.gamma = gamma
        self.archive = Archive()

    def play(self, env):
        ep, obs, done = Episode(), env.reset(), False
        while not done:
            dist = Categorical(logits=self.policy(obs))
            action = dist.sample()
            obs, reward, done = env.step(action.item())
            ep.add(reward, dist.log_prob(action))
        return ep

    def learn(self, ep):
        returns = ep.returns(self.gamma)
        loss = -(torch.stack(ep.log_probs) * (returns - returns.mean())).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.archive.put(ep)  # <- culprit
        return loss.item()


if __name__ == "__main__":
    env = Corridor()
    agent = Agent(env.length)
    for n in range(120):
        loss = agent.learn(agent.play(env))
        if n % 40 == 0:
            print(f"episode {n} loss {loss:.3f}")
    print("best return", round(sum(agent.archive.best().rewards), 2))
