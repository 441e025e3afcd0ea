# gradwatch-corpus: kind=none
# REINFORCE with a learned baseline, RL course homework 2.
from itertools import count

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

torch.manual_seed(543)
torch.set_num_threads(1)
eps = 1e-6


class Corridor:
    """Walk right to reach the goal; slippery floor."""

    def __init__(self, n=8):
        self.n = n

    def reset(self):
        self.pos, self.t = 0, 0
        return self.obs()

    def obs(self):
        o = torch.zeros(self.n)
        o[self.pos] = 1
        return o

    def step(self, a):
        move = 1 if a == 1 else -1
        if torch.rand(()) < 0.1:
            move = -move
        self.pos = max(0, min(self.n - 1, self.pos + move))
        self.t += 1
        done = self.pos == self.n - 1 or self.t >= 25
        return self.obs(), (5.0 if self.pos == self.n - 1 else -0.1), done


class Policy(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.affine1 = nn.Linear(n, 24)
        self.action_head = nn.Linear(24, 2)
        self.value_head = nn.Linear(24, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), -1), self.value_head(x)


env = Corridor()
model = Policy(env.n)
optimizer = torch.optim.Adam(model.parameters(), lr=2e-2)


def select_action(state):
    probs, value = model(state)
    m = Categorical(probs)
    a = m.sample()
    model.saved_actions.append((m.log_prob(a), value))
    return a.item()


def finish_episode(gamma=0.97):
    R, returns = 0, []
    for r in model.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps)
    policy_losses, value_losses = [], []
    for (log_prob, value), R in zip(model.saved_actions, returns):
        policy_losses.append(-log_prob * (R - value.item()))
        value_losses.append(F.smooth_l1_loss(value, R.view(1)))
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]


running = 0
for i_episode in range(120):
    state, ep_reward = env.reset(), 0
    for t in count(1):
        state, reward, done = env.step(select_action(state))
        model.rewards.append(reward)
        ep_reward += reward
        if done:
            break
    running = 0.05 * ep_reward + 0.95 * running
    finish_episode()
    if i_episode % 30 == 0:
        print(f"Episode {i_episode}\tlast {ep_reward:.2f}\taverage {running:.2f}")
