# gradwatch-corpus: kind=second-backward
# holder: policy.saved_log_probs | self.saved_log_probs | log_prob
# first-bad: 1
# notice: 0
# adapted from pytorch/examples reinforce.py, own env because no gym on the cluster
import torch
torch.set_num_threads(1)
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical
from itertools import count

torch.manual_seed(543)
gamma = 0.99


class Pole:
    def reset(self):
        self.s = 0.05 * torch.randn(4)
        return self.s

    def step(self, a):
        x, v, th, om = self.s
        f = 1.0 if a == 1 else -1.0
        om = om + 0.05 * (9.8 * th - 1.5 * f)
        th = th + 0.05 * om
        v = v + 0.05 * f
        self.s = torch.stack([x + 0.05 * v, v, th, om])
        return self.s, 1.0, bool(th.abs() > 0.25)


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(4, 32)
        self.dropout = nn.Dropout(p=0.1)
        self.affine2 = nn.Linear(32, 2)
        self.saved_log_probs = []
        self.rewards = []

    def forward(self, x):
        return F.softmax(self.affine2(F.relu(self.dropout(self.affine1(x)))), dim=-1)


env, policy = Pole(), Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)


def select_action(state):
    m = Categorical(policy(state))
    action = m.sample()
    policy.saved_log_probs.append(m.log_prob(action))  # <- culprit
    return action.item()


def finish_episode():
    R, returns, policy_loss = 0, [], []
    for r in policy.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-8)
    for log_prob, R in zip(policy.saved_log_probs, returns):
        policy_loss.append(-log_prob * R)
    optimizer.zero_grad()
    torch.stack(policy_loss).sum().backward()
    optimizer.step()
    policy.rewards = []  # <- culprit


running = 10
for i_episode in range(300):
    state, ep_reward = env.reset(), 0
    for t in count(1):
        action = select_action(state)
        state, reward, done = env.step(action)
        policy.rewards.append(reward)
        ep_reward += reward
        if done or t >= 60:
            break
    running = 0.05 * ep_reward + 0.95 * running
    finish_episode()
    if i_episode % 50 == 0:
        print(f"Episode {i_episode}\tLast reward: {ep_reward:.1f}\tAverage: {running:.2f}")
