# gradwatch-corpus: kind=none
from collections import namedtuple
import math

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

SavedAction = namedtuple("SavedAction", ["log_prob", "value", "entropy"])


class Pole:
    def __init__(self, seed):
        self.g = torch.Generator().manual_seed(seed)

    def reset(self):
        self.th, self.om = ((torch.rand(2, generator=self.g) - 0.5) * 0.2).tolist()
        self.t = 0
        return [self.th, self.om]

    def step(self, a):
        self.om += 0.08 * (9.8 * math.sin(self.th) / 2 + (3.0 if a else -3.0))
        self.th += 0.08 * self.om
        self.t += 1
        return [self.th, self.om], 1.0, abs(self.th) > 0.5 or self.t >= 25


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(2, 32)
        self.action_head = nn.Linear(32, 2)
        self.value_head = nn.Linear(32, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = torch.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


torch.manual_seed(543)
env = Pole(543)
model = Policy()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
gamma = 0.97


def select_action(state):
    probs, value = model(torch.tensor(state))
    m = Categorical(probs)
    action = m.sample()
    model.saved_actions.append(SavedAction(m.log_prob(action), value, m.entropy()))
    return action.item()


def finish_episode():
    R = 0.0
    returns = []
    for r in model.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns) / 10
    policy_losses, value_losses, entropies = [], [], []
    for (log_prob, value, ent), R in zip(model.saved_actions, returns):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value.squeeze(0), R))
        entropies.append(ent)
    optimizer.zero_grad()
    loss = (torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
            - 0.01 * torch.stack(entropies).sum())
    loss.backward()
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]
    return loss.item()


def main():
    running_reward = 5.0
    for i_episode in range(1, 421):
        state, ep_reward, done = env.reset(), 0.0, False
        while not done:
            state, reward, done = env.step(select_action(state))
            model.rewards.append(reward)
            ep_reward += reward
        running_reward = 0.05 * ep_reward + 0.95 * running_reward
        loss = finish_episode()
        if i_episode % 70 == 0:
            print(f"Episode {i_episode}\tloss {loss:.2f}\tlast {ep_reward:.0f}\taverage {running_reward:.2f}")


if __name__ == "__main__":
    main()
