# gradwatch-corpus: kind=graph-held
# holder: self.entropies | m.entropies | self.memory.entropies | agent.memory.entropies
# first-bad: 1
import random
from collections import namedtuple

import torch
from torch import nn
from torch.distributions import Categorical

Obs = namedtuple("Obs", "floor calls load")


class Elevator:
    def __init__(self, floors=8, horizon=10, seed=0):
        self.floors, self.horizon = floors, horizon
        self.rng = random.Random(seed)

    def reset(self):
        self.t, self.pos, self.load = 0, 0, 0
        self.calls = [self.rng.random() < 0.3 for _ in range(self.floors)]
        return self.observe()

    def observe(self):
        return Obs(self.pos, tuple(self.calls), self.load)

    def step(self, a):
        self.t += 1
        r = -0.05
        if a == 2:
            r += 1.0 if self.calls[self.pos] else -0.3
            self.load += self.calls[self.pos]
            self.calls[self.pos] = False
        else:
            self.pos = min(max(self.pos + (1 if a == 1 else -1), 0), self.floors - 1)
        if self.rng.random() < 0.2:
            self.calls[self.rng.randrange(self.floors)] = True
        return self.observe(), r, self.t >= self.horizon


class EpisodeMemory:
    def __init__(self):
        self.log_probs, self.values, self.rewards, self.entropies = [], [], [], []

    def push(self, logp, value, reward, entropy):
        self.log_probs.append(logp)
        self.values.append(value)
        self.rewards.append(reward)
        self.entropies.append(entropy)  # <- culprit

    def clear(self):  # <- culprit
        del self.log_probs[:]
        del self.values[:]
        del self.rewards[:]

    def __len__(self):
        return len(self.rewards)


class Agent(nn.Module):
    def __init__(self, floors, hidden=48, gamma=0.95, beta=0.01):
        super().__init__()
        self.floors, self.gamma, self.beta = floors, gamma, beta
        self.body = nn.Sequential(nn.Linear(2 * floors + 1, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, 3)
        self.v = nn.Linear(hidden, 1)
        self.memory = EpisodeMemory()

    def encode(self, obs):
        onehot = [float(i == obs.floor) for i in range(self.floors)]
        return torch.tensor(onehot + [float(c) for c in obs.calls] + [obs.load / 10])

    def act(self, obs):
        h = self.body(self.encode(obs))
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)

    def loss(self):
        m, R, returns = self.memory, 0.0, []
        for r in reversed(m.rewards):
            R = r + self.gamma * R
            returns.insert(0, R)
        returns = torch.tensor(returns)
        values, logp = torch.stack(m.values), torch.stack(m.log_probs)
        adv = returns - values.detach()
        entropy = torch.stack(m.entropies[-len(m):]).mean()
        return -(logp * adv).mean() + 0.5 * (returns - values).pow(2).mean() - self.beta * entropy


def train(episodes=120):
    torch.manual_seed(5)
    env, agent = Elevator(), Agent(8)
    opt = torch.optim.Adam(agent.parameters(), lr=4e-3)
    scores = []
    for ep in range(episodes):
        obs, done = env.reset(), False
        while not done:
            dist, value = agent.act(obs)
            a = dist.sample()
            obs, r, done = env.step(int(a))
            agent.memory.push(dist.log_prob(a), value, r, dist.entropy())
        loss = agent.loss()
        opt.zero_grad()
        loss.backward()
        opt.step()
        scores.append(sum(agent.memory.rewards))
        agent.memory.clear()
        if ep % 30 == 29:
            print(ep + 1, sum(scores[-30:]) / 30)


if __name__ == "__main__":
    train()
