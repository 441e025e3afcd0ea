# gradwatch-corpus: kind=graph-held
# holder: self.logbook | captain.logbook
# first-bad: 1
"""A ferry captain learns when to leave the quay (REINFORCE with baseline)."""
import random
from collections import deque, namedtuple

import torch
from torch import nn
from torch.distributions import Categorical

Trip = namedtuple("Trip", "number steps log_probs total")


class Quay:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def reset(self):
        self.waiting = self.rng.randint(0, 8)
        self.hour = 0
        self.wind = self.rng.random()
        return self.observe()

    def observe(self):
        return torch.tensor([self.waiting / 20, self.hour / 12, self.wind])

    def step(self, action):
        self.hour += 1
        reward = -0.05 * self.waiting
        if action == 1:
            load = min(self.waiting, 12)
            reward += 0.25 * load - 0.8 - 0.6 * (self.wind > 0.8)
            self.waiting -= load
        self.waiting += self.rng.randint(0, 4)
        self.wind = min(1.0, max(0.0, self.wind + self.rng.uniform(-0.2, 0.2)))
        return self.observe(), reward, self.hour >= 8


class Captain:
    def __init__(self, lr=5e-3):
        self.policy = nn.Sequential(nn.Linear(3, 24), nn.Tanh(), nn.Linear(24, 2))
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=lr)
        self.logbook = deque(maxlen=10000)
        self.baseline = 0.0

    def sail(self, quay, number):
        obs, done = quay.reset(), False
        log_probs, rewards = [], []
        while not done:
            dist = Categorical(logits=self.policy(obs))
            action = dist.sample()
            log_probs.append(dist.log_prob(action))
            obs, reward, done = quay.step(int(action))
            rewards.append(reward)
        trip = Trip(number, len(rewards), torch.stack(log_probs), sum(rewards))  # <- culprit
        self.logbook.append(trip)  # <- culprit
        return log_probs, rewards

    def learn(self, log_probs, rewards, gamma=0.97):
        returns, running = [], 0.0
        for r in reversed(rewards):
            running = r + gamma * running
            returns.insert(0, running)
        returns = torch.tensor(returns)
        advantage = returns - self.baseline
        self.baseline += 0.05 * (returns.mean().item() - self.baseline)
        loss = -(torch.stack(log_probs) * advantage).sum()
        self.opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 2.0)
        self.opt.step()
        return loss.item()

    def report(self, last=50):
        recent = list(self.logbook)[-last:]
        mean = sum(t.total for t in recent) / len(recent)
        sure = sum(t.log_probs.mean().exp().item() for t in recent) / len(recent)
        return f"return {mean:+.2f} confidence {sure:.2f} over {len(recent)} trips"


def main(trips=450):
    torch.manual_seed(21)
    captain, quay = Captain(), Quay(21)
    for number in range(trips):
        log_probs, rewards = captain.sail(quay, number)
        captain.learn(log_probs, rewards)
        if number % 75 == 74:
            print(number + 1, captain.report())


if __name__ == "__main__":
    main()
