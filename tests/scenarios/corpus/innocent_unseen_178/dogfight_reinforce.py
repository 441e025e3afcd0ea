# gradwatch-corpus: kind=none
"""REINFORCE on a one dimensional chase; a rollout store is filled and drained."""
import torch
from torch import nn
from torch.distributions import Categorical


class Chase:
    def __init__(self, envs=16, seed=44):
        self.gen = torch.Generator().manual_seed(seed)
        self.envs = envs
        self.reset()

    def reset(self):
        self.gap = torch.randn(self.envs, 1, generator=self.gen) * 2

    def act(self, action):
        self.gap = self.gap + 0.5 * (action.unsqueeze(1) - 1.0)
        return -self.gap.abs().squeeze(1)


class RolloutStore:
    def __init__(self):
        self.logp, self.entropy, self.reward = [], [], []

    def add(self, dist, action, reward):
        self.logp.append(dist.log_prob(action))
        self.entropy.append(dist.entropy())
        self.reward.append(reward)

    def returns(self, gamma):
        out, acc = [], torch.zeros_like(self.reward[-1])
        for r in reversed(self.reward):
            acc = r + gamma * acc
            out.append(acc)
        return torch.stack(out[::-1])

    def drain(self, gamma):
        payload = torch.stack(self.logp), torch.stack(self.entropy), self.returns(gamma)
        for part in (self.logp, self.entropy, self.reward):
            part.clear()
        return payload


class Baseline:
    def __init__(self, decay=0.9):
        self.decay = decay
        self.value = 0.0

    def advantage(self, returns):
        self.value = self.decay * self.value + (1 - self.decay) * returns.mean()
        return (returns - self.value) / (returns.std() + 1e-4)


class Agent:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(1, 24), nn.Tanh(), nn.Linear(24, 3))
        self.opt = torch.optim.Adam(self.net.parameters(), lr=5e-3)
        self.store, self.baseline = RolloutStore(), Baseline()

    def play(self, env, horizon):
        env.reset()
        for _ in range(horizon):
            dist = Categorical(logits=self.net(env.gap))
            action = dist.sample()
            self.store.add(dist, action, env.act(action))

    def improve(self):
        logp, entropy, returns = self.store.drain(0.9)
        loss = -(logp * self.baseline.advantage(returns)).mean() - 0.01 * entropy.mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        return returns[0].mean().item()


def main():
    torch.manual_seed(8)
    env, agent, scores = Chase(), Agent(), []
    for i in range(400):
        agent.play(env, 8)
        scores.append(agent.improve())
        if i % 100 == 99:
            print(i + 1, round(sum(scores[-50:]) / 50, 3))


if __name__ == "__main__":
    main()
