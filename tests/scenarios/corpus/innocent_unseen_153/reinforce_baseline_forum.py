# gradwatch-corpus: kind=none
# Is this REINFORCE with baseline correct? It learns but I want to be sure.
import math
import random

import torch
import torch.nn as nn
import torch.optim as optim
from torch.distributions import Categorical

torch.set_num_threads(1)
torch.manual_seed(543)
random.seed(543)


class Pole:
    """a crude cart pole"""

    def reset(self):
        self.s = [random.uniform(-0.05, 0.05) for _ in range(4)]
        self.t = 0
        return self.s

    def step(self, action):
        x, xd, th, thd = self.s
        f = 10.0 if action else -10.0
        tmp = (f + 0.05 * thd ** 2 * math.sin(th)) / 1.1
        tha = (9.8 * math.sin(th) - math.cos(th) * tmp) / (0.5 * (4 / 3 - 0.1 * math.cos(th) ** 2 / 1.1))
        xa = tmp - 0.05 * tha * math.cos(th) / 1.1
        self.s = [x + 0.02 * xd, xd + 0.02 * xa, th + 0.02 * thd, thd + 0.02 * tha]
        self.t += 1
        done = abs(self.s[0]) > 2.4 or abs(self.s[2]) > 0.21 or self.t >= 60
        return self.s, 1.0, done


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(4, 32)
        self.affine2 = nn.Linear(32, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return torch.softmax(self.affine2(torch.relu(self.affine1(x))), dim=-1)


policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)
eps = 1e-6
baseline = 0.0


def select_action(state):
    m = Categorical(policy(torch.tensor(state)))
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))
    return action.item()


def finish_episode():
    global baseline
    R, returns = 0.0, []
    for r in policy.rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    baseline = 0.9 * baseline + 0.1 * returns[0]
    returns = torch.tensor(returns) - baseline
    returns = returns / (returns.std() + eps) if len(returns) > 1 else returns
    policy_loss = [-lp * R for lp, R in zip(policy.saved_log_probs, returns)]
    optimizer.zero_grad()
    loss = torch.stack(policy_loss).sum()
    loss.backward()
    optimizer.step()
    policy.rewards.clear()
    policy.saved_log_probs.clear()


env = Pole()
running_reward = 10.0
for i_episode in range(80):
    state, ep_reward = env.reset(), 0
    while True:
        state, reward, done = env.step(select_action(state))
        policy.rewards.append(reward)
        ep_reward += reward
        if done:
            break
    running_reward = 0.05 * ep_reward + 0.95 * running_reward
    finish_episode()
    if i_episode % 20 == 0:
        print("Episode {}\tLast: {:.1f}\tAverage: {:.2f}".format(i_episode, ep_reward, running_reward))
print("end", round(running_reward, 2))
