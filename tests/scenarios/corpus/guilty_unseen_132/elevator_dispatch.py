# gradwatch-corpus: kind=crashed
# holder: self.log_probs | agent.log_probs
# first-bad: 0
# notice: 0
"""REINFORCE for the two-car lift in our office tower (hobby project)."""
import random

import torch
from torch.distributions import Categorical

torch.set_num_threads(1)
FLOORS = 5


class Building:
    def reset(self):
        self.cars = [0, FLOORS - 1]
        self.call = random.randrange(FLOORS)
        self.t = 0
        return self._obs()

    def _obs(self):
        o = torch.zeros(3, FLOORS)
        o[0, self.cars[0]] = o[1, self.cars[1]] = o[2, self.call] = 1
        return o.flatten()

    def step(self, car):
        trip = abs(self.cars[car] - self.call)
        self.cars[car] = self.call
        self.call = random.randrange(FLOORS)
        self.t += 1
        return self._obs(), -float(trip), self.t >= 12


class Dispatcher:
    def __init__(self):
        self.policy = torch.nn.Sequential(
            torch.nn.Linear(3 * FLOORS, 24), torch.nn.Tanh(), torch.nn.Linear(24, 2)
        )
        self.opt = torch.optim.Adam(self.policy.parameters(), lr=0.01)
        self.log_probs, self.rewards = [], []

    def pick(self, obs):
        with torch.no_grad():  # <- culprit
            dist = Categorical(logits=self.policy(obs))
            car = dist.sample()
            self.log_probs.append(dist.log_prob(car))
        return car.item()

    def finish(self):
        g, returns = 0.0, []
        for r in reversed(self.rewards):
            g = r + 0.9 * g
            returns.insert(0, g)
        returns = torch.tensor(returns)
        returns = (returns - returns.mean()) / (returns.std() + 1e-5)
        loss = -(torch.stack(self.log_probs) * returns).sum()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        total = sum(self.rewards)
        self.log_probs.clear()
        self.rewards.clear()
        return total


if __name__ == "__main__":
    random.seed(3)
    torch.manual_seed(3)
    env, agent = Building(), Dispatcher()
    for day in range(300):
        obs, done = env.reset(), False
        while not done:
            obs, rew, done = env.step(agent.pick(obs))
            agent.rewards.append(rew)
        score = agent.finish()
        if day % 50 == 0:
            print("day", day, "travel", score)
