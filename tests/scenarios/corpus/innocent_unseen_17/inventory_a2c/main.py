# gradwatch-corpus: kind=none
"""Recurrent A2C for stock replenishment; eight warehouses in parallel, updates after every five days."""
from collections import deque

import torch

from agent import RecurrentActorCritic
from envs import Warehouse
from rollout import Rollout


class A2C:
    def __init__(self, n_envs=8, n_steps=5, lr=2e-3, seed=0):
        self.env = Warehouse(n_envs, seed)
        self.n_steps = n_steps
        self.obs = self.env.reset()
        self.policy = RecurrentActorCritic(self.obs.shape[1], len(Warehouse.ORDERS))
        self.memory = self.policy.initial(n_envs)
        self.rollout = Rollout()
        self.optimizer = torch.optim.RMSprop(self.policy.parameters(), lr=lr, alpha=0.99, eps=1e-5)
        self.recent_rewards = deque(maxlen=200)

    def collect(self):
        for _ in range(self.n_steps):
            pi, value, self.memory = self.policy(self.obs, self.memory)
            action = pi.sample()
            self.obs, reward = self.env.step(action)
            self.rollout.add(pi.log_prob(action), value, pi.entropy(), reward)
            self.recent_rewards.append(reward.mean())

    @torch.no_grad()
    def bootstrap(self):
        _, value, _ = self.policy(self.obs, self.memory)
        return value

    def update(self):
        loss = self.rollout.loss(self.bootstrap())
        self.optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
        self.optimizer.step()
        self.rollout.clear()
        self.memory = self.memory.detach()
        return loss.item()

    def learn(self, updates):
        losses = []
        for u in range(1, updates + 1):
            self.collect()
            losses.append(self.update())
            if u % 80 == 0:
                mean = torch.stack(list(self.recent_rewards)).mean().item()
                print(f"update {u}: loss {sum(losses[-80:]) / 80:+.3f} reward/day {mean:+.3f}")


@torch.no_grad()
def play(policy, days=100):
    env = Warehouse(16, seed=99)
    obs, memory, total = env.reset(), policy.initial(16), 0.0
    for _ in range(days):
        pi, _, memory = policy(obs, memory)
        obs, reward = env.step(pi.probs.argmax(1))
        total += reward.mean().item()
    return total / days


if __name__ == "__main__":
    torch.manual_seed(6)
    a2c = A2C()
    a2c.learn(400)
    print(f"greedy policy: {play(a2c.policy):+.3f} a day")
