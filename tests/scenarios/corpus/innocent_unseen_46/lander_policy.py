# gradwatch-corpus: kind=none
# REINFORCE from pytorch/examples, on a home-made 1-d moon lander.
import argparse
from itertools import count

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical

parser = argparse.ArgumentParser(description="REINFORCE lander")
parser.add_argument("--gamma", type=float, default=0.99)
parser.add_argument("--seed", type=int, default=543)
parser.add_argument("--episodes", type=int, default=120)
parser.add_argument("--log-interval", type=int, default=20)
args = parser.parse_args()
torch.manual_seed(args.seed)


class Lander:
    def reset(self):
        self.h, self.v, self.fuel = 10.0, -1.0 + 0.4 * torch.rand(1).item(), 25
        return self.obs()

    def obs(self):
        return torch.tensor([self.h / 10, self.v / 5, self.fuel / 25])

    def step(self, burn):
        if burn and self.fuel > 0:
            self.fuel -= 1
            self.v += 1.2
        self.v -= 0.5
        self.h += 0.4 * self.v
        done = self.h <= 0 or self.h > 15
        reward = -0.02
        if done:
            reward = 5.0 - abs(self.v) if self.h <= 0 else -8.0
        return self.obs(), reward, done


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(3, 32)
        self.affine2 = nn.Linear(32, 2)
        self.saved_log_probs = []
        self.entropies = []
        self.rewards = []

    def forward(self, x):
        return F.softmax(self.affine2(F.relu(self.affine1(x))), dim=-1)


policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)
eps = 1e-6
env = Lander()
value_baseline = torch.zeros(200)


def select_action(state):
    probs = policy(state)
    m = Categorical(probs)
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    policy.entropies.append(m.entropy())
    return action.item()


def finish_episode():
    R = 0
    policy_loss = []
    returns = []
    for r in policy.rewards[::-1]:
        R = r + args.gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    n = len(returns)
    adv = returns - value_baseline[:n]
    value_baseline[:n] = 0.9 * value_baseline[:n] + 0.1 * returns
    adv = adv / (adv.std() + eps)
    for log_prob, a in zip(policy.saved_log_probs, adv):
        policy_loss.append(-log_prob * a)
    optimizer.zero_grad()
    policy_loss = torch.stack(policy_loss).sum() - 0.01 * torch.stack(policy.entropies).sum()
    policy_loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved_log_probs[:]
    policy.entropies = []


def main():
    running_reward = 0
    returns_seen = []
    for i_episode in count(1):
        state, ep_reward = env.reset(), 0
        for t in range(1, 80):
            action = select_action(state)
            state, reward, done = env.step(action)
            policy.rewards.append(reward)
            ep_reward += reward
            if done:
                break
        running_reward = 0.05 * ep_reward + (1 - 0.05) * running_reward
        returns_seen.append(running_reward)
        finish_episode()
        if i_episode % args.log_interval == 0:
            print("Episode {}\tLast reward: {:.2f}\tAverage reward: {:.2f}".format(
                i_episode, ep_reward, running_reward))
        if i_episode >= args.episodes:
            break
    print("best average", max(returns_seen))


if __name__ == "__main__":
    main()
