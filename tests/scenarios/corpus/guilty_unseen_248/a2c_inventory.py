# gradwatch-corpus: kind=graph-held
# holder: self.stats["entropy"] | trainer.stats["entropy"] | self.stats | trainer.stats
# first-bad: 1
"""Advantage actor critic for a tiny inventory control problem (order 0..4 boxes a day)."""
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical


class InventoryEnv:
    def __init__(self, n_envs, rng):
        self.n = n_envs
        self.rng = rng
        self.cap = 12
        self.reset()

    def reset(self):
        self.stock = self.rng.integers(2, 8, size=self.n)
        self.day = np.zeros(self.n, dtype=np.int64)
        return self.observe()

    def observe(self):
        week = 2 * np.pi * (self.day % 7) / 7
        obs = np.stack([self.stock / self.cap, np.sin(week), np.cos(week)], axis=1)
        return torch.as_tensor(obs, dtype=torch.float32)

    def step(self, order):
        self.stock = np.minimum(self.stock + order, self.cap)
        lam = 2.0 + 1.2 * np.sin(2 * np.pi * (self.day % 7) / 7)
        demand = self.rng.poisson(lam)
        sold = np.minimum(self.stock, demand)
        lost = demand - sold
        self.stock = self.stock - sold
        self.day += 1
        reward = 1.0 * sold - 0.5 * lost - 0.1 * self.stock - 0.05 * (order > 0)
        return self.observe(), torch.as_tensor(reward, dtype=torch.float32)


class ActorCritic(nn.Module):
    def __init__(self, obs_dim=3, n_actions=5, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, n_actions)
        self.v = nn.Linear(hidden, 1)

    def forward(self, x):
        h = self.body(x)
        return Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class A2CTrainer:
    def __init__(self, env, model, gamma=0.95, n_steps=8, lr=2e-3):
        self.env = env
        self.model = model
        self.gamma = gamma
        self.n_steps = n_steps
        self.optimizer = torch.optim.RMSprop(model.parameters(), lr=lr, alpha=0.99)
        self.obs = env.reset()
        self.stats = {"reward": [], "policy_loss": [], "value_loss": [], "entropy": []}

    def rollout(self):
        log_probs = []
        values = []
        rewards = []
        entropies = []
        for _ in range(self.n_steps):
            dist, value = self.model(self.obs)
            action = dist.sample()
            self.obs, reward = self.env.step(action.numpy())
            log_probs.append(dist.log_prob(action))
            values.append(value)
            rewards.append(reward)
            entropies.append(dist.entropy())
        with torch.no_grad():
            _, bootstrap = self.model(self.obs)
        returns = []
        R = bootstrap
        for r in reversed(rewards):
            R = r + self.gamma * R
            returns.insert(0, R)
        return torch.stack(log_probs), torch.stack(values), torch.stack(returns), torch.stack(entropies), torch.stack(rewards)

    def update(self):
        log_probs, values, returns, entropies, rewards = self.rollout()
        advantage = returns - values
        policy_loss = -(log_probs * advantage.detach()).mean()
        value_loss = advantage.pow(2).mean()
        entropy = entropies.mean()
        loss = policy_loss + 0.5 * value_loss - 0.01 * entropy

        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.model.parameters(), 0.5)
        self.optimizer.step()

        self.stats["reward"].append(rewards.mean().item())
        self.stats["policy_loss"].append(policy_loss.item())
        self.stats["value_loss"].append(value_loss.item())
        self.stats["entropy"].append(entropy)  # <- culprit

    def report(self, i, k=25):
        parts = []
        for name in self.stats:
            recent = self.stats[name][-k:]
            parts.append("%s %.3f" % (name, sum(recent) / len(recent)))
        print("update %4d | " % i + " | ".join(parts))


def main():
    torch.manual_seed(11)
    torch.set_num_threads(1)
    rng = np.random.default_rng(11)
    trainer = A2CTrainer(InventoryEnv(16, rng), ActorCritic())
    for i in range(1, 151):
        trainer.update()
        if i % 25 == 0:
            trainer.report(i)


if __name__ == "__main__":
    main()
