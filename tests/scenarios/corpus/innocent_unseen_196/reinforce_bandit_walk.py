# gradwatch-corpus: kind=none
import argparse
import math
import random
from itertools import count

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical

parser = argparse.ArgumentParser(description="PyTorch REINFORCE example")
parser.add_argument("--gamma", type=float, default=0.99)
parser.add_argument("--seed", type=int, default=543)
parser.add_argument("--episodes", type=int, default=420)
parser.add_argument("--log-interval", type=int, default=60)
args = parser.parse_args()

random.seed(args.seed)
torch.manual_seed(args.seed)
eps = 1e-8


class Hill:
    """Roll a ball toward x = 1 against a slope."""

    def reset(self):
        self.x, self.v, self.t = random.uniform(-0.2, 0.2), 0.0, 0
        return self.obs()

    def obs(self):
        return torch.tensor([self.x, self.v])

    def step(self, action):
        self.v += 0.1 * (action - 1) - 0.03 * math.sin(3 * self.x)
        self.v *= 0.95
        self.x += 0.3 * self.v
        self.t += 1
        goal = self.x > 1.0
        done = goal or self.x < -1.5 or self.t >= 20
        return self.obs(), (2.0 if goal else -abs(1 - self.x) * 0.1), done


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(2, 32)
        self.dropout = nn.Dropout(p=0.1)
        self.affine2 = nn.Linear(32, 3)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.dropout(self.affine1(x)))
        return F.softmax(self.affine2(x), dim=1)


policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=5e-3)


def select_action(state):
    probs = policy(state.unsqueeze(0))
    m = Categorical(probs)
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode():
    R = 0
    policy_loss = []
    returns = []
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
    return policy_loss


def main():
    env = Hill()
    running_reward = None
    loss_curve = []
    for i_episode in range(args.episodes):
        state, ep_reward = env.reset(), 0
        for t in count():
            state, reward, done = env.step(select_action(state))
            policy.rewards.append(reward)
            ep_reward += reward
            if done:
                break
        running_reward = ep_reward if running_reward is None else 0.05 * ep_reward + 0.95 * running_reward
        loss = finish_episode()
        loss_curve.append(loss.detach())
        if i_episode % args.log_interval == 0:
            print("Episode {}\tLast reward: {:.2f}\tAverage reward: {:.2f}\tLoss {:.3f}".format(
                i_episode, ep_reward, running_reward, loss_curve[-1]))


if __name__ == "__main__":
    main()
