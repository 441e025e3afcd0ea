# gradwatch-corpus: kind=none
"""REINFORCE with a running baseline in a corridor with two doors (RL course, week 3). Log-probabilities are collected on
the policy object during the episode, as in the official pytorch example."""
import random
from collections import deque

import torch
import torch.nn as nn
from torch.distributions import Categorical

seed = 543
random.seed(seed)
torch.manual_seed(seed)
gamma = 0.98
log_interval = 75
episodes = 450


class Corridor:
    """Walk to the end which the light of the first room points at."""
    n = 7

    def reset(self):
        self.light = random.choice((-1.0, 1.0))
        self.x, self.t = 0, 0
        return self.obs()

    def obs(self):
        v = torch.zeros(self.n + 1)
        v[self.x + self.n // 2] = 1.0
        v[-1] = self.light
        return v

    def step(self, a):
        self.x += (-1, 1)[a]
        self.t += 1
        end = abs(self.x) == self.n // 2
        r = (1.0 if self.x * self.light > 0 else -1.0) if end else -0.05
        return self.obs(), r, end or self.t >= 15


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(Corridor.n + 1, 32)
        self.affine2 = nn.Linear(32, 2)
        self.saved_log_probs = []
        self.saved_entropies = []
        self.rewards = []

    def forward(self, x):
        return self.affine2(torch.tanh(self.affine1(x)))


class Baseline:
    """Running mean and deviation of the returns."""

    def __init__(self, beta):
        self.beta, self.mean, self.var = beta, torch.zeros(()), torch.ones(())

    def __call__(self, returns):
        self.mean = self.beta * self.mean + (1 - self.beta) * returns.mean()
        self.var = self.beta * self.var + (1 - self.beta) * (returns - self.mean).square().mean()
        return (returns - self.mean) / (self.var.sqrt() + 1e-3)


env = Corridor()
policy = Policy()
optimizer = torch.optim.Adam(policy.parameters(), lr=6e-3)
baseline = Baseline(0.95)
recent = deque(maxlen=50)
last_losses = deque(maxlen=5)


def select_action(state):
    m = Categorical(logits=policy(state))
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    policy.saved_entropies.append(m.entropy())
    return action.item()


def finish_episode():
    R = 0
    returns = deque()
    for r in policy.rewards[::-1]:
        R = r + gamma * R
        returns.appendleft(R)
    adv = baseline(torch.tensor(returns))
    policy_loss = [-lp * a for lp, a in zip(policy.saved_log_probs, adv)]
    optimizer.zero_grad()
    loss = torch.stack(policy_loss).sum() - 0.01 * torch.stack(policy.saved_entropies).sum()
    loss.backward()
    optimizer.step()
    last_losses.append(loss.detach())
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    del policy.saved_entropies[:]


def main():
    for i_episode in range(1, episodes + 1):
        state, ep_reward, done = env.reset(), 0.0, False
        while not done:
            state, reward, done = env.step(select_action(state))
            policy.rewards.append(reward)
            ep_reward += reward
        recent.append(ep_reward)
        finish_episode()
        if i_episode % log_interval == 0:
            print("Episode {}\tLast reward: {:.2f}\tAverage reward: {:.2f}\tLoss {:.3f}".format(
                i_episode, ep_reward, sum(recent) / len(recent), torch.stack(tuple(last_losses)).mean().item()))


if __name__ == "__main__":
    main()
