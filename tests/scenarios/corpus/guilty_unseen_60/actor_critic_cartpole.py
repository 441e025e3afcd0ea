# gradwatch-corpus: kind=second-backward
# holder: advantage
# first-bad: 0
# notice: 0
"""Advantage actor-critic on a hand-written CartPole, with one network and one optimizer each
for the policy and for the value function."""
import math
import random

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.set_num_threads(1)

GAMMA = 0.99
MAX_EPISODES = 100
MAX_STEPS = 60


class CartPole:
    """The classic dynamics (Barto, Sutton & Anderson) with Euler integration."""

    def __init__(self, seed=0):
        self.rng = random.Random(seed)
        self.g, self.mc, self.mp, self.length, self.force, self.tau = 9.8, 1.0, 0.1, 0.5, 10.0, 0.02

    def reset(self):
        self.s = [self.rng.uniform(-0.05, 0.05) for _ in range(4)]
        return torch.tensor(self.s)

    def step(self, action):
        x, x_dot, th, th_dot = self.s
        f = self.force if action == 1 else -self.force
        total = self.mc + self.mp
        pml = self.mp * self.length
        tmp = (f + pml * th_dot ** 2 * math.sin(th)) / total
        th_acc = (self.g * math.sin(th) - math.cos(th) * tmp) / (
            self.length * (4.0 / 3.0 - self.mp * math.cos(th) ** 2 / total))
        x_acc = tmp - pml * th_acc * math.cos(th) / total
        self.s = [x + self.tau * x_dot, x_dot + self.tau * x_acc,
                  th + self.tau * th_dot, th_dot + self.tau * th_acc]
        done = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.209
        return torch.tensor(self.s), 1.0, done


class Actor(nn.Module):
    def __init__(self, obs=4, actions=2, hidden=32):
        super().__init__()
        self.l1 = nn.Linear(obs, hidden)
        self.l2 = nn.Linear(hidden, actions)

    def forward(self, s):
        return Categorical(logits=self.l2(torch.tanh(self.l1(s))))


class Critic(nn.Module):
    def __init__(self, obs=4, hidden=32):
        super().__init__()
        self.l1 = nn.Linear(obs, hidden)
        self.l2 = nn.Linear(hidden, 1)

    def forward(self, s):
        return self.l2(torch.tanh(self.l1(s))).squeeze(-1)


def discounted(rewards, gamma):
    out, running = [], 0.0
    for r in reversed(rewards):
        running = r + gamma * running
        out.insert(0, running)
    return torch.tensor(out)


def run_episode(env, actor, critic):
    """Play one episode, return log-probabilities, state values, and rewards."""
    log_probs, values, rewards = [], [], []
    state = env.reset()
    for _ in range(MAX_STEPS):
        dist = actor(state)
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        values.append(critic(state))
        state, reward, done = env.step(action.item())
        rewards.append(reward)
        if done:
            break
    return torch.stack(log_probs), torch.stack(values), rewards


def main():
    torch.manual_seed(543)
    env = CartPole(seed=543)
    actor, critic = Actor(), Critic()
    actor_opt = torch.optim.Adam(actor.parameters(), lr=3e-3)
    critic_opt = torch.optim.Adam(critic.parameters(), lr=1e-2)

    avg_len = 10.0
    for episode in range(MAX_EPISODES):
        log_probs, values, rewards = run_episode(env, actor, critic)
        returns = discounted(rewards, GAMMA)

        advantage = returns - values
        critic_loss = F.smooth_l1_loss(values, returns)
        actor_loss = -(log_probs * advantage).mean()  # <- culprit

        critic_opt.zero_grad()
        actor_opt.zero_grad()
        critic_loss.backward()
        actor_loss.backward()  # <- culprit
        critic_opt.step()
        actor_opt.step()

        avg_len = 0.95 * avg_len + 0.05 * len(rewards)
        if episode % 10 == 0:
            print(f"episode {episode}\tlength {len(rewards)}\taverage {avg_len:.2f}")


if __name__ == "__main__":
    main()
