# gradwatch-corpus: kind=none
import argparse
from itertools import count

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical

parser = argparse.ArgumentParser()
parser.add_argument("--gamma", type=float, default=0.99)
parser.add_argument("--episodes", type=int, default=130)
args = parser.parse_args()
torch.manual_seed(543)


class Pole:
    def reset(self):
        self.s = np.random.RandomState(len(episode_lengths)).uniform(-0.05, 0.05, 4).astype("float32")
        return self.s

    def step(self, a):
        self.s = (self.s * 1.04 + np.array([0, 0.02, 0, -0.02], dtype="float32") * (2 * a - 1)).astype("float32")
        return self.s, 1.0, bool(abs(self.s).max() > 0.12)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(4, 128)
        self.affine2 = nn.Linear(128, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return F.softmax(self.affine2(F.relu(self.affine1(x))), dim=1)


episode_lengths = []
policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)
eps = np.finfo(np.float32).eps.item()


def select_action(state):
    probs = policy(torch.from_numpy(state).float().unsqueeze(0))
    m = Categorical(probs)
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode():
    R, policy_loss, returns = 0, [], []
    for r in policy.rewards[::-1]:
        R = r + args.gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + eps)
    for log_prob, R in zip(policy.saved_log_probs, returns):
        policy_loss.append(-log_prob * R)
    optimizer.zero_grad()
    policy_loss = torch.cat(policy_loss).sum()
    policy_loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]


env = Pole()
for ep in range(args.episodes):
    state = env.reset()
    for t in count():
        state, reward, done = env.step(select_action(state))
        policy.rewards.append(reward)
        if (done and t > 3) or t > 40:
            break
    episode_lengths.append(t)
    finish_episode()
    if ep % 20 == 0:
        print(ep, np.mean(episode_lengths[-20:]))
