# gradwatch-corpus: kind=none
import random
from collections import namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
from torch.distributions import Categorical

SEED = 543
gamma = 0.97
SIDE = 4
EPISODES = 110
SavedAction = namedtuple('SavedAction', ['log_prob', 'value', 'entropy'])

random.seed(SEED)
torch.manual_seed(SEED)


class Grid:
    def reset(self):
        self.pos = [random.randrange(SIDE), random.randrange(SIDE)]
        self.goal = [random.randrange(SIDE), random.randrange(SIDE)]
        return self.state()

    def state(self):
        (a, b), (c, d) = self.pos, self.goal
        return torch.tensor([a, b, c, d, c - a, d - b], dtype=torch.float32) / SIDE

    def step(self, action):
        axis, delta = action // 2, 1 if action % 2 else -1
        self.pos[axis] = min(SIDE - 1, max(0, self.pos[axis] + delta))
        done = self.pos == self.goal
        return self.state(), (1.0 if done else -0.05), done


class Policy(nn.Module):
    def __init__(self):
        super(Policy, self).__init__()
        self.affine1 = nn.Linear(6, 48)
        self.affine2 = nn.Linear(48, 48)
        self.action_head = nn.Linear(48, 4)
        self.value_head = nn.Linear(48, 1)
        self.saved_actions = []
        self.rewards = []

    def forward(self, x):
        x = F.relu(self.affine1(x))
        x = F.relu(self.affine2(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


model = Policy()
optimizer = optim.Adam(model.parameters(), lr=8e-3)


def select_action(state):
    probs, state_value = model(state)
    m = Categorical(probs)
    action = m.sample()
    model.saved_actions.append(SavedAction(m.log_prob(action), state_value, m.entropy()))
    return action.item()


def finish_episode():
    R = 0
    returns = []
    for r in model.rewards[::-1]:
        R = r + gamma * R
        returns.insert(0, R)
    policy_losses, value_losses, entropies = [], [], []
    for (log_prob, value, entropy), R in zip(model.saved_actions, returns):
        advantage = R - value.item()
        policy_losses.append(-log_prob * advantage)
        value_losses.append(F.smooth_l1_loss(value, torch.tensor([R])))
        entropies.append(entropy)

    optimizer.zero_grad()
    actor_loss = torch.stack(policy_losses).sum() - 0.01 * torch.stack(entropies).sum()
    critic_loss = torch.stack(value_losses).sum()
    actor_loss.backward(retain_graph=True)
    actor_norm = sum(p.grad.norm() ** 2 for p in model.parameters() if p.grad is not None) ** 0.5
    critic_loss.backward()
    optimizer.step()

    del model.rewards[:]
    del model.saved_actions[:]
    return actor_norm


env = Grid()
running_reward = 0
norms = []
for i_episode in range(EPISODES):
    state, ep_reward = env.reset(), 0
    for t in range(25):
        state, reward, done = env.step(select_action(state))
        model.rewards.append(reward)
        ep_reward += reward
        if done:
            break
    running_reward = 0.05 * ep_reward + 0.95 * running_reward
    norms.append(finish_episode())
    if i_episode % 22 == 0:
        print('Episode {}\tLength {}\tLast reward: {:.2f}\tAverage reward: {:.2f}\tactor grad {:.3f}'.format(
            i_episode, t + 1, ep_reward, running_reward, norms[-1].item()))
