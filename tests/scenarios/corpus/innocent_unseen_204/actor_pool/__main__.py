# gradwatch-corpus: kind=none
import torch

from .agent import Agent
from .env import Corridor
from .rollout import Rollout


class A2C:
    def __init__(self, env, agent, horizon=5, gamma=0.95, lr=3e-3):
        self.env, self.agent = env, agent
        self.gamma = gamma
        self.rollout = Rollout(horizon)
        self.baseline = torch.zeros(())
        self.opt = torch.optim.Adam(agent.parameters(), lr=lr)

    def act(self, obs):
        dist, value = self.agent(obs)
        action = dist.sample()
        nxt, reward = self.env.step(action)
        self.rollout.add(dist.log_prob(action), value, dist.entropy(), reward)
        return nxt

    def learn(self, obs):
        with torch.no_grad():
            bootstrap = self.agent(obs)[1]
        loss = self.rollout.loss(bootstrap, self.gamma)
        self.baseline = 0.9 * self.baseline + 0.1 * self.rollout.mean_reward
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.rollout.clear()

    def run(self, steps):
        obs = self.env.reset()
        for _ in range(steps):
            obs = self.act(obs)
            if self.rollout.full:
                self.learn(obs)
                yield self.baseline.item()


if __name__ == "__main__":
    torch.manual_seed(7)
    rewards = list(A2C(Corridor(16), Agent(9)).run(2000))
    print(len(rewards), round(rewards[5], 3), round(rewards[-1], 3))
