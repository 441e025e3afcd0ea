# gradwatch-corpus: kind=none
import random

import torch
import torch.nn as nn
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(12)
random.seed(12)


class PoleLite:
    """A point that must stay in the middle of a beam."""

    def reset(self):
        self.x, self.v, self.t = random.uniform(-0.2, 0.2), 0.0, 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.x, self.v])

    def step(self, a):
        self.v += 0.08 * (1 if a else -1) + 0.1 * self.x + random.gauss(0, 0.01)
        self.x += 0.2 * self.v
        self.t += 1
        done = abs(self.x) > 1 or self.t >= 15
        return self.obs(), 1.0 - abs(self.x), done


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(2, 24), nn.Tanh(), nn.Linear(24, 2))
        self.saved_log_probs = []
        self.entropies = []
        self.rewards = []

    def act(self, obs):
        dist = Categorical(logits=self.net(obs))
        a = dist.sample()
        self.saved_log_probs.append(dist.log_prob(a))
        self.entropies.append(dist.entropy())
        return a.item()

    def clear(self):
        self.saved_log_probs.clear()
        self.entropies.clear()
        self.rewards.clear()


def finish_episode(policy, opt, baseline, gamma=0.98, beta=0.01):
    returns, g = [], 0.0
    for r in reversed(policy.rewards):
        g = r + gamma * g
        returns.append(g)
    returns = torch.tensor(returns[::-1])
    adv = returns - baseline
    loss = -(torch.stack(policy.saved_log_probs) * adv).sum() - beta * torch.stack(policy.entropies).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    total = sum(policy.rewards)
    policy.clear()
    return total, returns.mean().item()


def main():
    env, policy = PoleLite(), Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=5e-3)
    baseline, avg = 0.0, None
    for episode in range(130):
        obs, done = env.reset(), False
        while not done:
            obs, r, done = env.step(policy.act(obs))
            policy.rewards.append(r)
        total, mean_return = finish_episode(policy, opt, baseline)
        baseline = 0.9 * baseline + 0.1 * mean_return
        avg = total if avg is None else 0.95 * avg + 0.05 * total
        if episode % 25 == 0:
            print(f"episode {episode} avg {avg:.2f}")


if __name__ == "__main__":
    main()
