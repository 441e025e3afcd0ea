# gradwatch-corpus: kind=graph-held
# holder: memory | self.memory | memory.items | self.memory.items | agent.memory.items
# holder: memory.buffer | self.buffer | self.memory.buffer | agent.memory.buffer
# notice: 16
# about: transitions with their log-probabilities go into a replay memory and stay there
import random
from collections import namedtuple

import torch
from torch import nn
from torch.distributions import Categorical

Transition = namedtuple("Transition", "state action log_prob reward")


class ReplayMemory:
    def __init__(self, capacity=10_000):
        self.capacity = capacity
        self.buffer = []

    def push(self, *args):
        self.buffer.append(Transition(*args))  # <- culprit
        if len(self.buffer) > self.capacity:
            self.buffer.pop(0)

    def last(self, n):
        return self.buffer[-n:]


class Agent:
    def __init__(self, obs=4, actions=2):
        self.policy = nn.Sequential(nn.Linear(obs, 32), nn.ReLU(), nn.Linear(32, actions))
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=1e-2)
        self.memory = ReplayMemory()

    def play(self, steps):
        state = torch.randn(4)
        for _ in range(steps):
            dist = Categorical(logits=self.policy(state))
            action = dist.sample()
            reward = 1.0 if (state[0] > 0) == bool(action) else 0.0
            self.memory.push(state, action, dist.log_prob(action), reward)  # <- culprit
            state = 0.9 * state + 0.5 * torch.randn(4)

    def learn(self, steps, gamma=0.95):
        episode = self.memory.last(steps)
        returns, g = [], 0.0
        for t in reversed(episode):
            g = t.reward + gamma * g
            returns.insert(0, g)
        returns = torch.tensor(returns)
        returns = (returns - returns.mean()) / (returns.std() + 1e-6)
        loss = -torch.stack([t.log_prob * r for t, r in zip(episode, returns)]).sum()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return sum(t.reward for t in episode)


if __name__ == "__main__":
    torch.manual_seed(0)
    random.seed(0)
    agent = Agent()
    for episode in range(60):
        agent.play(10)
        score = agent.learn(10)
        if episode % 20 == 0:
            print(f"episode {episode}\tscore {score}")
