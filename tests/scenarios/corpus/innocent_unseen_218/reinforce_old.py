# gradwatch-corpus: kind=none
# REINFORCE with a learned value baseline on a tiny corridor, in the spirit of the old pytorch/examples script
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical

torch.manual_seed(543)

N_CELLS = 9
eps = 1e-6


class Corridor(object):
    def reset(self):
        self.pos, self.t = N_CELLS // 2, 0
        return self._obs()

    def _obs(self):
        o = torch.zeros(N_CELLS + 1)
        o[self.pos] = 1
        o[-1] = self.t / 20.0
        return o

    def step(self, a):
        if torch.rand(()).item() < 0.1:
            a = 1 - a
        self.pos = max(0, min(N_CELLS - 1, self.pos + (1 if a == 1 else -1)))
        self.t += 1
        goal = self.pos == N_CELLS - 1
        return self._obs(), (1.0 if goal else -0.05), goal or self.t >= 15


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(N_CELLS + 1, 32)
        self.affine2 = nn.Linear(32, 2)
        self.value = nn.Linear(32, 1)
        self.saved = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.affine2(x), dim=-1), self.value(x)


policy = Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)


def select_action(state):
    probs, value = policy(state)
    m = Categorical(probs)
    action = m.sample()
    policy.saved.append((m.log_prob(action), value, m.entropy()))
    return action.item()


def finish_episode():
    R = 0
    returns = []
    for r in policy.rewards[::-1]:
        R = r + 0.97 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    losses = []
    for (logp, value, ent), R in zip(policy.saved, returns):
        adv = R - value.item()
        losses.append(-logp * adv + 0.5 * F.smooth_l1_loss(value, R.view(1)) - 0.01 * ent)
    optimizer.zero_grad()
    loss = torch.stack(losses).sum()
    loss.backward()
    optimizer.step()
    del policy.rewards[:]
    del policy.saved[:]
    return loss.data


running_reward = 0.0
loss_log = []
env = Corridor()
for i_episode in range(1, 121):
    state, ep_reward, done = env.reset(), 0, False
    while not done:
        action = select_action(state)
        state, reward, done = env.step(action)
        policy.rewards.append(reward)
        ep_reward += reward
    running_reward = 0.05 * ep_reward + 0.95 * running_reward
    loss_log.append(finish_episode())
    if i_episode % 30 == 0:
        print('Episode {}\tLast {:.2f}\tAverage {:.2f}\tLoss {:.3f}'.format(
            i_episode, ep_reward, running_reward, torch.stack(loss_log[-30:]).mean()))
