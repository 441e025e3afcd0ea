# gradwatch-corpus: kind=none
"""REINFORCE with a learned baseline; one update an episode."""
import torch
import torch.nn as nn
from torch.distributions import Categorical


class Corridor:
    def __init__(self, size=5, limit=20):
        self.size = size
        self.limit = limit

    def reset(self):
        self.cell = [0, 0]
        self.t = 0
        return self.obs()

    def obs(self):
        v = torch.zeros(2 * self.size)
        v[self.cell[0]] = 1
        v[self.size + self.cell[1]] = 1
        return v

    def step(self, a):
        dx, dy = [(1, 0), (-1, 0), (0, 1), (0, -1)][a]
        self.cell[0] = min(max(self.cell[0] + dx, 0), self.size - 1)
        self.cell[1] = min(max(self.cell[1] + dy, 0), self.size - 1)
        self.t += 1
        goal = self.cell == [self.size - 1, self.size - 1]
        return self.obs(), 1.0 if goal else -0.02, goal or self.t >= self.limit


class Policy(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.trunk = nn.Linear(n_obs, 32)
        self.pi = nn.Linear(32, n_act)
        self.v = nn.Linear(32, 1)
        self.saved_log_probs = []
        self.saved_values = []
        self.rewards = []

    def forward(self, x):
        h = torch.tanh(self.trunk(x))
        return self.pi(h), self.v(h).squeeze(-1)

    def act(self, obs):
        logits, value = self(obs)
        dist = Categorical(logits=logits)
        a = dist.sample()
        self.saved_log_probs.append(dist.log_prob(a))
        self.saved_values.append(value)
        return a.item()


def finish_episode(policy, opt, gamma=0.97):
    returns = []
    g = 0.0
    for r in reversed(policy.rewards):
        g = r + gamma * g
        returns.insert(0, g)
    returns = torch.tensor(returns)
    logp = torch.stack(policy.saved_log_probs)
    values = torch.stack(policy.saved_values)
    adv = returns - values.detach()
    loss = -(logp * adv).sum() + 0.5 * (values - returns).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    del policy.saved_log_probs[:]
    del policy.saved_values[:]
    del policy.rewards[:]
    return loss.item()


def main():
    torch.manual_seed(14)
    env = Corridor()
    policy = Policy(10, 4)
    opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
    smoothed = 0.0
    for ep in range(100):
        obs = env.reset()
        done = False
        while not done:
            obs, r, done = env.step(policy.act(obs))
            policy.rewards.append(r)
        smoothed = 0.9 * smoothed + 0.1 * sum(policy.rewards)
        loss = finish_episode(policy, opt)
        if ep % 25 == 24:
            print(f"episode {ep + 1} return {smoothed:.3f} loss {loss:.3f}")


if __name__ == "__main__":
    main()
