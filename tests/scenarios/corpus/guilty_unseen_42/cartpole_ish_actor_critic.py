# gradwatch-corpus: kind=second-backward
# first-bad: 10
"""Advantage actor-critic on a small balancing problem. First the critic alone, then both."""
import argparse

import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical


class Pole:
    """A crude pole: angle and angular velocity, two actions."""

    def __init__(self, n_envs, gen):
        self.n, self.gen = n_envs, gen

    def reset(self):
        self.s = 0.05 * torch.randn(self.n, 4, generator=self.gen)
        return self.s.clone()

    def step(self, a):
        x, v, th, w = self.s.unbind(1)
        force = a.float() * 2 - 1
        w = w + 0.05 * (4.0 * th - 3.0 * force)
        v = v + 0.05 * force
        self.s = torch.stack([x + 0.05 * v, v, th + 0.05 * w, w], 1)
        reward = 1.0 - self.s[:, 2].abs().clamp(max=2.0)
        return self.s.clone(), reward


class Actor(nn.Module):
    def __init__(self, obs=4, hidden=32, n_actions=2):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, n_actions))

    def forward(self, s):
        return Categorical(logits=self.body(s))


class Critic(nn.Module):
    def __init__(self, obs=4, hidden=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, 1))

    def forward(self, s):
        return self.body(s).squeeze(-1)


def discounted(rewards, gamma):
    out, run = [], torch.zeros_like(rewards[0])
    for r in reversed(rewards):
        run = r + gamma * run
        out.insert(0, run)
    return torch.stack(out)


def rollout(env, actor, horizon):
    s = env.reset()
    states, actions, rewards = [], [], []
    for _ in range(horizon):
        with torch.no_grad():
            a = actor(s).sample()
        states.append(s)
        actions.append(a)
        s, r = env.step(a)
        rewards.append(r)
    return torch.stack(states), torch.stack(actions), rewards


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--updates", type=int, default=120)
    p.add_argument("--critic-warmup", type=int, default=10)
    p.add_argument("--gamma", type=float, default=0.97)
    args = p.parse_args()

    torch.manual_seed(1)
    env = Pole(8, torch.Generator().manual_seed(7))
    actor, critic = Actor(), Critic()
    opt_a = optim.Adam(actor.parameters(), lr=3e-3)
    opt_c = optim.Adam(critic.parameters(), lr=1e-2)

    for upd in range(args.updates):
        states, actions, rewards = rollout(env, actor, 16)
        returns = discounted(rewards, args.gamma)
        values = critic(states)
        advantage = returns - values  # <- culprit
        critic_loss = advantage.pow(2).mean()

        if upd < args.critic_warmup:
            opt_c.zero_grad()
            critic_loss.backward()
            opt_c.step()
            continue

        dist = actor(states)
        actor_loss = -(dist.log_prob(actions) * advantage).mean() - 0.01 * dist.entropy().mean()  # <- culprit
        opt_a.zero_grad()
        opt_c.zero_grad()
        actor_loss.backward()  # <- culprit
        critic_loss.backward()  # <- culprit
        opt_a.step()
        opt_c.step()
        if upd % 10 == 0:
            print(f"update {upd:4d} return {returns[0].mean():.3f} critic {critic_loss.item():.4f}")


if __name__ == "__main__":
    main()
