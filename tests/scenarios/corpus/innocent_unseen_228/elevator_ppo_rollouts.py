# gradwatch-corpus: kind=none
"""Elevator dispatch by policy gradients: losses of a few episodes are summed before each step."""
import torch
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self, floors, hidden=32):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(2 * floors, hidden), nn.Tanh())
        self.pi = nn.Linear(hidden, 3)
        self.value = nn.Linear(hidden, 1)

    def forward(self, obs):
        h = self.trunk(obs)
        return Categorical(logits=self.pi(h)), self.value(h).squeeze(-1)


class Elevator:
    def __init__(self, floors=6):
        self.floors = floors

    def reset(self):
        self.pos = 0
        self.waiting = (torch.rand(self.floors) < 0.4).float()
        return self.obs()

    def obs(self):
        here = torch.zeros(self.floors)
        here[self.pos] = 1.0
        return torch.cat([here, self.waiting])

    def step(self, move):
        self.pos = min(max(self.pos + move - 1, 0), self.floors - 1)
        served = self.waiting[self.pos].item()
        self.waiting[self.pos] = 0.0
        return self.obs(), served - 0.1 * self.waiting.sum().item()


class Episode:
    def __init__(self):
        self.log_probs = []
        self.values = []
        self.rewards = []
        self.entropies = []

    def loss(self, gamma=0.95):
        returns = []
        g = 0.0
        for r in reversed(self.rewards):
            g = r + gamma * g
            returns.insert(0, g)
        returns = torch.tensor(returns)
        values = torch.stack(self.values)
        advantage = returns - values.detach()
        policy = -(torch.stack(self.log_probs) * advantage).mean()
        value = (returns - values).pow(2).mean()
        return policy + 0.5 * value - 0.01 * torch.stack(self.entropies).mean()


def main():
    torch.manual_seed(10)
    env = Elevator()
    policy = Policy(env.floors)
    optimizer = torch.optim.Adam(policy.parameters(), lr=5e-3)
    pending = []
    scores = []
    for it in range(120):
        episode = Episode()
        obs = env.reset()
        for _ in range(10):
            dist, value = policy(obs)
            action = dist.sample()
            obs, reward = env.step(action.item())
            episode.log_probs.append(dist.log_prob(action))
            episode.values.append(value)
            episode.entropies.append(dist.entropy())
            episode.rewards.append(reward)
        pending.append(episode.loss())
        scores.append(sum(episode.rewards))
        if len(pending) == 3:
            optimizer.zero_grad()
            torch.stack(pending).mean().backward()
            optimizer.step()
            pending.clear()
        if it % 30 == 29:
            print(f"it {it + 1} score {sum(scores[-30:]) / 30:.3f}")


if __name__ == "__main__":
    main()
