# gradwatch-corpus: kind=none
"""Actor-critic with generalised advantages on a toy vertical lander."""
from collections import deque

import torch
import torch.nn as nn
from torch.distributions import Categorical


class Lander:
    """State: height, velocity, fuel. Actions: coast or burn."""

    def __init__(self, seed=1):
        self.gen = torch.Generator().manual_seed(seed)

    def reset(self):
        self.h = 8.0 + 4 * torch.rand((), generator=self.gen).item()
        self.v, self.fuel = 0.0, 1.0
        return self.obs()

    def obs(self):
        return torch.tensor([self.h / 10, self.v / 3, self.fuel])

    def step(self, burn):
        thrust = 0.35 if burn and self.fuel > 0 else 0.0
        self.fuel = max(0.0, self.fuel - 0.04 * burn)
        self.v += thrust - 0.15
        self.h += self.v
        if self.h <= 0:
            return self.obs(), 5.0 - 3.0 * abs(self.v), True
        return self.obs(), -0.05, self.h > 20


class ActorCritic(nn.Module):
    def __init__(self, d=3, width=48):
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(d, width), nn.Tanh())
        self.actor = nn.Linear(width, 2)
        self.critic = nn.Linear(width, 1)
        self.saved = []

    def forward(self, obs):
        h = self.trunk(obs)
        return Categorical(logits=self.actor(h)), self.critic(h).squeeze(-1)


def gae(rewards, values, gamma=0.98, lam=0.95):
    advantages, running, following = [], 0.0, 0.0
    for r, v in zip(reversed(rewards), reversed(values)):
        running = r + gamma * following - v + gamma * lam * running
        following = v
        advantages.insert(0, running)
    return torch.tensor(advantages)


def play(model, env, limit=80):
    obs, rewards = env.reset(), []
    for _ in range(limit):
        dist, value = model(obs)
        action = dist.sample()
        obs, reward, done = env.step(action.item())
        model.saved.append((dist.log_prob(action), value, dist.entropy()))
        rewards.append(reward)
        if done:
            break
    return rewards


def finish(model, optimizer, rewards):
    log_probs, values, entropies = (torch.stack(col) for col in zip(*model.saved))
    adv = gae(rewards, values.tolist())
    targets = adv + values.detach()
    actor = -(log_probs * adv).sum()
    critic = nn.functional.smooth_l1_loss(values, targets, reduction="sum")
    loss = actor + 0.5 * critic - 0.01 * entropies.sum()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 2.0)
    optimizer.step()
    del model.saved[:]
    return loss.item()


def main(episodes=120):
    torch.manual_seed(8)
    env, model = Lander(), ActorCritic()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    scores, losses = deque(maxlen=20), []
    for ep in range(episodes):
        rewards = play(model, env)
        losses.append(finish(model, optimizer, rewards))
        scores.append(sum(rewards))
        if (ep + 1) % 30 == 0:
            print(f"episode {ep + 1} mean score {sum(scores) / len(scores):+.2f} loss {losses[-1]:.2f}")


if __name__ == "__main__":
    main()
