# gradwatch-corpus: kind=second-backward
# first-bad: 0
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.distributions import Categorical

SavedAction = namedtuple("SavedAction", ["log_prob", "value"])
torch.manual_seed(543)


class Balance:
    """A crude pole: keep the angle small by pushing left or right."""

    def reset(self):
        self.s = torch.randn(2) * 0.05
        self.t = 0
        return self.s

    def step(self, a):
        th, om = self.s
        om = om + 0.05 * (9.8 * torch.sin(th) + (3.0 if a else -3.0))
        self.s = torch.stack([th + 0.05 * om, om])
        self.t += 1
        return self.s, 1.0, bool(self.s[0].abs() > 0.4) or self.t >= 40


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(2, 32)
        self.action_head = nn.Linear(32, 2)
        self.value_head = nn.Linear(32, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


model = Policy()
optimizer = torch.optim.Adam(model.parameters(), lr=3e-2)
eps = 1e-6


def select_action(state):
    probs, value = model(state)
    m = Categorical(probs)
    action = m.sample()
    model.saved_actions.append(SavedAction(m.log_prob(action), value))
    return action.item()


def discounted(rewards, gamma=0.99):
    R, out = 0.0, []
    for r in reversed(rewards):
        R = r + gamma * R
        out.insert(0, R)
    out = torch.tensor(out)
    return (out - out.mean()) / (out.std() + eps)


def finish_episode():
    policy_losses, value_losses = [], []
    for (log_prob, value), R in zip(model.saved_actions, discounted(model.rewards)):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, R.view(1)))
    policy_loss = torch.stack(policy_losses).sum()
    value_loss = torch.stack(value_losses).sum()
    optimizer.zero_grad()
    policy_loss.backward()  # <- culprit
    value_loss.backward()  # <- culprit
    optimizer.step()
    del model.rewards[:]
    del model.saved_actions[:]


def main():
    env = Balance()
    running_reward = 10.0
    for i_episode in range(400):
        state, ep_reward = env.reset(), 0.0
        for t in range(1, 50):
            state, reward, done = env.step(select_action(state))
            model.rewards.append(reward)
            ep_reward += reward
            if done:
                break
        running_reward = 0.05 * ep_reward + 0.95 * running_reward
        finish_episode()
        if i_episode % 50 == 0:
            print(f"Episode {i_episode}\tLast {ep_reward:.2f}\tAverage {running_reward:.2f}")


if __name__ == "__main__":
    main()
