# gradwatch-corpus: kind=second-backward
# holder: saved_actions | self.saved_actions | model.saved_actions | log_prob | value
# first-bad: 1
# notice: 0
# Actor-critic, started from pytorch/examples/reinforcement_learning/actor_critic.py.
# Gym would not install on the cluster, so I wrote a small ball-balancing env.
import argparse
from collections import namedtuple
from itertools import count

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical

parser = argparse.ArgumentParser(description="actor-critic")
parser.add_argument("--gamma", type=float, default=0.98)
parser.add_argument("--seed", type=int, default=543)
parser.add_argument("--episodes", type=int, default=200)
parser.add_argument("--log-interval", type=int, default=10)
args = parser.parse_args()

torch.set_num_threads(1)
torch.manual_seed(args.seed)

SavedAction = namedtuple("SavedAction", ["log_prob", "value"])
eps = np.finfo(np.float32).eps.item()


class BallBeam:
    def __init__(self, seed):
        self.rng = np.random.RandomState(seed)

    def reset(self):
        self.x, self.v, self.tilt = self.rng.uniform(-0.2, 0.2), 0.0, 0.0
        return self.obs()

    def obs(self):
        return np.array([self.x, self.v, self.tilt], dtype=np.float32)

    def step(self, action):
        self.tilt = float(np.clip(self.tilt + (0.1 if action == 1 else -0.1), -0.5, 0.5))
        self.v += 0.12 * self.tilt + 0.01 * self.rng.randn()
        self.x += self.v
        done = abs(self.x) > 1.0
        return self.obs(), 1.0 - abs(self.x), done


class Policy(nn.Module):
    """implements both actor and critic in one model"""

    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(3, 64)
        self.action_head = nn.Linear(64, 2)
        self.value_head = nn.Linear(64, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)

    def select_action(self, state):
        probs, value = self(torch.from_numpy(state).float())
        m = Categorical(probs)
        action = m.sample()
        self.saved_actions.append(SavedAction(m.log_prob(action), value))  # <- culprit
        return action.item()

    def end_episode(self):
        self.rewards = []  # <- culprit


model = Policy()
optimizer = optim.Adam(model.parameters(), lr=1e-2)


def discounted(rewards):
    R, out = 0.0, []
    for r in rewards[::-1]:
        R = r + args.gamma * R
        out.insert(0, R)
    out = torch.tensor(out)
    return (out - out.mean()) / (out.std() + eps)


def finish_episode():
    saved_actions = model.saved_actions  # <- culprit
    policy_losses, value_losses = [], []
    for (log_prob, value), R in zip(saved_actions, discounted(model.rewards)):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([R])))

    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
    model.end_episode()


def main():
    env = BallBeam(args.seed)
    running_reward = 10
    for i_episode in count(1):
        state, ep_reward = env.reset(), 0
        for t in range(1, 60):
            action = model.select_action(state)
            state, reward, done = env.step(action)
            model.rewards.append(reward)
            ep_reward += reward
            if done:
                break
        running_reward = 0.05 * ep_reward + 0.95 * running_reward
        finish_episode()
        if i_episode % args.log_interval == 0:
            print("Episode {}\tLast reward: {:.2f}\tAverage reward: {:.2f}".format(i_episode, ep_reward, running_reward))
        if i_episode >= args.episodes:
            break


if __name__ == "__main__":
    main()
