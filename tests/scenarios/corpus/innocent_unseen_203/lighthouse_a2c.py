# gradwatch-corpus: kind=none
"""Recurrent actor-critic for a lighthouse keeper; episodes end at random."""
import random

import torch
from torch import nn
from torch.distributions import Categorical


class Rollout:
    def __init__(self):
        self.log_probs, self.values, self.rewards, self.entropies = [], [], [], []

    def add(self, log_prob, value, reward, entropy):
        self.log_probs.append(log_prob)
        self.values.append(value)
        self.rewards.append(reward)
        self.entropies.append(entropy)

    def clear(self):
        for part in (self.log_probs, self.values, self.rewards, self.entropies):
            part.clear()

    def __len__(self):
        return len(self.rewards)


class Fog:
    def __init__(self, seed):
        self.rng = random.Random(seed)

    def reset(self):
        self.fog, self.ship = self.rng.random(), self.rng.random()
        return torch.tensor([self.fog, self.ship])

    def step(self, lamp):
        reward = 1.0 if (lamp == 1) == (self.fog > 0.5) else -0.5
        self.fog = min(1.0, max(0.0, self.fog + self.rng.uniform(-0.3, 0.3)))
        self.ship = self.rng.random()
        return torch.tensor([self.fog, self.ship]), reward, self.rng.random() < 0.12


class Keeper(nn.Module):
    def __init__(self, d=24):
        super().__init__()
        self.cell = nn.GRUCell(2, d)
        self.pi = nn.Linear(d, 2)
        self.v = nn.Linear(d, 1)

    def forward(self, obs, h):
        h = self.cell(obs.unsqueeze(0), h)
        return Categorical(logits=self.pi(h)[0]), self.v(h)[0, 0], h


def update(rollout, opt, net, gamma=0.9):
    ret, returns = 0.0, []
    for r in reversed(rollout.rewards):
        ret = r + gamma * ret
        returns.append(ret)
    returns = torch.tensor(returns[::-1])
    values = torch.stack(rollout.values)
    adv = returns - values.detach()
    policy = -(torch.stack(rollout.log_probs) * adv).mean()
    value = nn.functional.smooth_l1_loss(values, returns)
    loss = policy + 0.5 * value - 0.01 * torch.stack(rollout.entropies).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    opt.step()
    rollout.clear()
    return loss.item()


def main(episodes=420, cap=16):
    torch.manual_seed(55)
    env, net, rollout = Fog(55), Keeper(), Rollout()
    opt = torch.optim.Adam(net.parameters(), lr=4e-3)
    lengths, scores = [], []
    for episode in range(episodes):
        obs, h, done = env.reset(), torch.zeros(1, 24), False
        while not done and len(rollout) < cap:
            dist, value, h = net(obs, h)
            action = dist.sample()
            obs, reward, done = env.step(int(action))
            rollout.add(dist.log_prob(action), value, reward, dist.entropy())
        lengths.append(len(rollout))
        scores.append(sum(rollout.rewards) / len(rollout))
        loss = update(rollout, opt, net)
        if episode % 70 == 69:
            print(episode, f"len {sum(lengths[-70:]) / 70:.1f} score {sum(scores[-70:]) / 70:.2f} loss {loss:.3f}")


if __name__ == "__main__":
    main()
