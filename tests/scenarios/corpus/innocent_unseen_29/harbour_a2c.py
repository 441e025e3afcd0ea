# gradwatch-corpus: kind=none
"""Tug allocation with an actor-critic that learns at the end of each tide."""
import random
from types import SimpleNamespace

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

args = SimpleNamespace(tides=120, gamma=0.97, lr=5e-3, tugs=3, seed=7)


class Harbour:
    def __init__(self, tugs, rng):
        self.tugs, self.rng = tugs, rng

    def reset(self):
        self.busy = [0.0] * self.tugs
        self.left = self.rng.randint(5, 30)      # a tide brings some ships
        return self._state()

    def _state(self):
        self.ship = self.rng.random()
        return torch.tensor(self.busy + [self.ship])

    def step(self, tug):
        reward = -self.busy[tug] - abs(self.ship - tug / self.tugs)
        self.busy[tug] += self.ship
        self.busy = [max(0.0, b - 0.3) for b in self.busy]
        self.left -= 1
        return self._state(), reward, self.left == 0


class Policy(nn.Module):
    def __init__(self, tugs):
        super().__init__()
        self.affine = nn.Linear(tugs + 1, 32)
        self.action_head = nn.Linear(32, tugs)
        self.value_head = nn.Linear(32, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


def select_action(model, state):
    probs, value = model(state)
    m = Categorical(probs)
    action = m.sample()
    model.saved_actions.append((m.log_prob(action), value))
    return action.item()


def finish_episode(model, optimizer):
    R, returns = 0, []
    for r in model.rewards[::-1]:
        R = r + args.gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-6)
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


def main():
    torch.manual_seed(args.seed)
    env, model = Harbour(args.tugs, random.Random(args.seed)), Policy(args.tugs)
    optimizer = torch.optim.Adam(model.parameters(), lr=args.lr)
    running = -10.0
    for tide in range(args.tides):
        state, done, total, ships = env.reset(), False, 0.0, 0
        while not done:
            state, reward, done = env.step(select_action(model, state))
            model.rewards.append(reward)
            total += reward
            ships += 1
        running = 0.05 * total / ships + 0.95 * running
        finish_episode(model, optimizer)
        if tide % 20 == 0:
            print(f"tide {tide}\tships {ships}\taverage {running:.3f}")


if __name__ == "__main__":
    main()
